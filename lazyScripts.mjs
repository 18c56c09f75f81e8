// How esbuild makes what the panel loads for formulas and diagrams.
import fs from "node:fs";
import path from "node:path";

/**
 * Of KaTeX's fonts only those that every browser of VS Code reads.
 * @type {Pick<import("esbuild").BuildOptions, "assetNames" | "loader" | "plugins">}
 */
export const mathStyles = {
  assetNames: "fonts/[name]",
  loader: { ".woff2": "file" },
  plugins: [
    {
      name: "one-font-format",
      setup(build) {
        build.onLoad({ filter: /katex\.min\.css$/ }, (file) => ({
          contents: fs
            .readFileSync(file.path, "utf8")
            .replace(/,url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, ""),
          loader: "css",
        }));
      },
    },
  ],
};

/**
 * A function of the frame's port and nonce, whose text `diagramDrawer` runs there. Dagre stands in
 * for the ELK layout, which is as large as half of the rest. Formulas in labels stay source.
 * @type {Pick<import("esbuild").BuildOptions, "banner" | "footer" | "plugins">}
 */
export const diagramScript = {
  banner: {
    js: 'dispatchEvent(new CustomEvent("graft-diagram-ready",{detail:(graftPort,graftNonce)=>{',
  },
  footer: { js: "}}));" },
  plugins: [
    {
      name: "dagre-only",
      setup(build) {
        build.onResolve({ filter: /^\.\/elk-\w+\.mjs$/ }, ({ resolveDir }) => {
          const dagre = fs.readdirSync(resolveDir).find((name) => /^dagre-\w+\.mjs$/.test(name));
          if (dagre === undefined) throw new Error("Mermaid has its layouts elsewhere now.");
          return { path: path.join(resolveDir, dagre) };
        });
        build.onResolve({ filter: /^katex$/ }, () => ({ path: "katex", namespace: "left-out" }));
        build.onLoad({ filter: /./, namespace: "left-out" }, () => ({
          contents: "export default { renderToString: (tex) => tex };",
        }));
      },
    },
  ],
};

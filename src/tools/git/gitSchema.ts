import * as z from "zod/mini";

/** Which repository, where the workspace has several folders. */
export const folderSchema = z.optional(z.string()).check(z.describe("The folder of the repository. Only where the workspace has several."));

/** Files or folders to restrict a tool to. */
export const pathsSchema = z.optional(z.array(z.string().check(z.minLength(1))));

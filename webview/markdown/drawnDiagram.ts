/** Why a diagram is shown as its source. */
export type DiagramFault =
  | { readonly type: "invalid"; readonly detail: string }
  | { readonly type: "too-long" }
  | { readonly type: "gave-up" };

/** A picture and its size in CSS pixels, or why there is none. */
export type DrawnDiagram =
  | DiagramFault
  | {
      readonly type: "drawn";
      readonly src: string;
      readonly width: number;
      readonly height: number;
    };

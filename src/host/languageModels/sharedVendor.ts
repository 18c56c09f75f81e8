/** The vendor of the models that Graft shares, which it does not ask itself. */
export const SHARED_VENDOR = "graft";

/** Every `*.test.ts` of this folder, collected at build time. */
declare module "graft:suites";
declare module "mocha/mocha.js";

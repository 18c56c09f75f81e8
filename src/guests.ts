export { serveGuests } from "./node/guests/serveGuests.ts";

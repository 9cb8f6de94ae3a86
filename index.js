// What pi loads. pi lists an extension whose file is called index.js by its package or its directory: "deputize".
// Its loader takes only files that import a package of pi's, and brings what they export from elsewhere.
import "@earendil-works/pi-coding-agent";

export { default } from "./dist/pi-extension.js";

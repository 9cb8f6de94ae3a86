// biome-ignore lint/performance/noBarrelFile: the bundler takes the names of its JSX calls from here
export { Fragment, h } from "preact";

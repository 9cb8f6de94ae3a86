import { toWords } from "./to-words.ts";

/** What a look-up of a value begins with, in code, templates and configuration. Case counts. */
export const REFERENCE_BEGINNINGS = toWords(`
Bun.env
Deno.env
ENC(
ENC[
ENV.
ENV[
System.getenv
app.
args.
config.
context.
ctx.
data.
each.
env.
github.
import.meta
local.
module.
options.
opts.
os.environ
os.getenv
params.
process.env
props.
req.
request.
res.
response.
secret.
secrets.
self.
settings.
state.
std::
this.
var.
vault.
{aes}
{cipher}
`);

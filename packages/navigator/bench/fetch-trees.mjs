// Unpacks the packages that the questions are about, in the versions they were asked with.
// node packages/navigator/bench/fetch-trees.mjs TREES_DIRECTORY    needs npm, and apt-get with dpkg-deb for Debian's packages
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PYTHON = "usr/lib/python3/dist-packages";
const GO = "usr/share/gocode/src";
const RUST = "usr/share/cargo/registry";

const FROM_NPM = {
	ws: "ws@8.22.2",
	winston: "winston@3.19.0",
	hapi: "@hapi/hapi@21.4.10",
	axios: "axios@1.21.1",
	got: "got@14.6.6",
	nodemon: "nodemon@3.1.14",
	mocha: "mocha@12.0.3",
	arborist: "@npmcli/arborist@9.9.3",
	nodemailer: "nodemailer@8.0.11",
	knex: "knex@3.3.0",
	mongoose: "mongoose@9.12.0",
	webpack: "webpack@5.112.2",
	avvio: "avvio@9.3.1",
	"find-my-way": "find-my-way@9.10.0",
	static: "@fastify/static@10.1.10",
	"sonic-boom": "sonic-boom@5.0.2",
	mercurius: "mercurius@16.10.1",
	"light-my-request": "light-my-request@6.8.0",
	handlebars: "handlebars@4.7.10",
	ioredis: "ioredis@6.0.0",
	multer: "multer@2.5.0",
	passport: "passport@0.7.0",
	chokidar: "chokidar@5.0.0",
	koa: "koa@3.2.1",
	yargs: "yargs@18.2.0",
	pino: "pino@10.4.0",
	bottleneck: "bottleneck@2.19.5",
	cheerio: "cheerio@1.2.0",
};
/** Debian 12. */
const FROM_DEBIAN = {
	requests: ["python3-requests", `${PYTHON}/requests`],
	urllib3: ["python3-urllib3", `${PYTHON}/urllib3`],
	click: ["python3-click", `${PYTHON}/click`],
	jinja2: ["python3-jinja2", `${PYTHON}/jinja2`],
	flask: ["python3-flask", `${PYTHON}/flask`],
	httpx: ["python3-httpx", `${PYTHON}/httpx`],
	tornado: ["python3-tornado", `${PYTHON}/tornado`],
	cobra: ["golang-github-spf13-cobra-dev", `${GO}/github.com/spf13/cobra`],
	mux: ["golang-github-gorilla-mux-dev", `${GO}/github.com/gorilla/mux`],
	gin: ["golang-github-gin-gonic-gin-dev", `${GO}/github.com/gin-gonic/gin`],
	viper: ["golang-github-spf13-viper-dev", `${GO}/github.com/spf13/viper`],
	tar: ["librust-tar-dev", RUST],
	indicatif: ["librust-indicatif-dev", RUST],
	ignore: ["librust-ignore-dev", RUST],
	werkzeug: ["python3-werkzeug", `${PYTHON}/werkzeug`],
	bbolt: ["golang-github-coreos-bbolt-dev", GO],
	walkdir: ["librust-walkdir-dev", RUST],
	clap: ["librust-clap-dev", RUST],
	watchdog: ["python3-watchdog", `${PYTHON}/watchdog`],
	paramiko: ["python3-paramiko", `${PYTHON}/paramiko`],
	logrus: ["golang-github-sirupsen-logrus-dev", `${GO}/github.com/sirupsen/logrus`],
	chi: ["golang-github-go-chi-chi-dev", `${GO}/github.com/go-chi/chi`],
	zip: ["librust-zip-dev", RUST],
	csv: ["librust-csv-dev", RUST],
};

const trees = resolve(process.argv[2] ?? "trees");
const scratch = mkdtempSync(join(tmpdir(), "navigator-trees-"));
const run = (command, args) =>
	execFileSync(command, args, { cwd: scratch, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
mkdirSync(trees, { recursive: true });

for (const [name, spec] of Object.entries(FROM_NPM)) {
	const target = join(trees, name);
	if (existsSync(target)) continue;
	const archive = run("npm", ["pack", "--silent", spec]).trim().split("\n").at(-1);
	mkdirSync(target);
	run("tar", ["xzf", archive, "-C", target, "--strip-components=1"]);
	console.log(`${name}: ${archive}`);
}
for (const [name, [debian, inside]] of Object.entries(FROM_DEBIAN)) {
	const target = join(trees, name);
	if (existsSync(target)) continue;
	run("apt-get", ["download", "-q", debian]);
	const archive = readdirSync(scratch).find((file) => file.startsWith(`${debian}_`));
	const unpacked = join(scratch, `unpacked-${name}`);
	run("dpkg-deb", ["-x", archive, unpacked]);
	const root = join(unpacked, inside);
	const only = readdirSync(root);
	cpSync(inside === RUST ? join(root, only[0]) : root, target, { recursive: true });
	console.log(`${name}: ${archive}`);
}
rmSync(scratch, { recursive: true, force: true });

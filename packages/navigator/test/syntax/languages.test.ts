import { afterEach, describe, expect, it, vi } from "vitest";
import { indexTree } from "../../../../test/helpers/navigator-tree.ts";
import { findUses } from "../../find-uses.ts";

/** One file for each language, and how a name in it is used: line numbers by kind. */
const LANGUAGES: Readonly<Record<string, { text: string; uses: Record<string, string> }>> = {
	"a.c": {
		text: `#include "a.h"
int plain(void) { return 1; }
robj *made(int a, char *b) { plain(); s->cb(a); return 0; }
uLong ZEXPORT macroed(uLong a) { return made(1, "plain"); }
int declared(int x);
struct sock { int a; };
static void takes(struct sock *sk) { declared(sk->a); }
#define GUARD_H
#define TWICE(x) ((x)+(x))
/* plain() is called above */
void (*pointer)(int) = plain;`,
		uses: {
			plain: "definition 2, call 3, reference 11",
			made: "definition 3, call 4",
			macroed: "definition 4",
			declared: "declaration 5, call 7",
			sock: "definition 6, reference 7",
			GUARD_H: "reference 8",
			TWICE: "definition 9",
			cb: "call 3",
		},
	},
	"a.cpp": {
		text: `class Pool : public Base { public: void get(); int size() { return count(); } };
void Pool::get() { other->get(); ns::fn<int>(); new Thing(1); }
TEST_F(PoolTest, Gets) { EXPECT_EQ(1, get()); }
API_EXPORT Status DoIt(int x) { return Status(); }
template <class T> T largest(T a, T b) { return a; }`,
		uses: {
			Pool: "definition 1, reference 2",
			get: "declaration 1, definition 2, call 2, call 3",
			"Pool::get": "declaration 1, definition 2, member 2",
			fn: "call 2",
			Thing: "call 2",
			DoIt: "definition 4",
			largest: "definition 5",
			PoolTest: "reference 3",
		},
	},
	"a.java": {
		text: `import a.b.Other;
public class Shop implements Seller {
  private int price = 1;
  Shop(int x) { super(); }
  public <T> List<T> sell(String what) { return other.sell(new Other(what)); }
}
interface Seller { void sell(String what); }
// sell() is documented`,
		uses: {
			Shop: "definition 2, definition 4",
			sell: "definition 5, call 5, declaration 7",
			price: "definition 3",
			Other: "import 1, call 5",
			Seller: "reference 2, definition 7",
		},
	},
	"a.cs": {
		text: `using System.Text;
namespace N { public class Shop { public int Price { get; set; }
  public async Task<int> Sell(string what) => await other.Buy<int>(nameof(Sell));
  void Run() { Sell("Sell"); var x = new Shop(); shop?.Close(); } } }`,
		uses: { Shop: "definition 2, call 4", Sell: "definition 3, call 4", Buy: "call 3", Close: "call 4" },
	},
	"a.go": {
		text: `package a
import "example.com/x/y"
type Pool struct{}
func (p *Pool) Get(n int) error { return y.Fetch(p.size) }
func New() *Pool { return &Pool{} }
var handlers = map[string]func(int) error{"get": pool.Get}
const Limit = 3
// New is called by nobody`,
		uses: {
			Pool: "definition 3, reference 4, reference 5",
			Get: "definition 4, reference 6",
			"Pool.Get": "definition 4",
			New: "definition 5",
			Fetch: "call 4",
			Limit: "definition 7",
		},
	},
	"a.rs": {
		text: `use crate::pool::{Pool, fetch};
pub struct Shop<T> { pool: Pool }
impl<T> Shop<T> { pub fn sell(&self) -> u32 { fetch::<u8>(1); assert_eq!(self.sell(), price(2)); Shop::open() } }
pub trait Seller { fn sell(&self) -> u32; }
macro_rules! twice { ($x:expr) => { $x }; }
fn price(x: u32) -> u32 { twice!(x) }`,
		uses: {
			Shop: "definition 2, reference 3",
			sell: "definition 3, call 3, declaration 4",
			fetch: "import 1, call 3",
			price: "call 3, definition 6",
			twice: "definition 5, call 6",
			"Shop::open": "call 3",
		},
	},
	"a.py": {
		text: `from pool import fetch, Pool as P
class Shop(P):
    limit = 3
    @cached
    def sell(self, what):
        """sell() returns a price"""
        return fetch(self.sell(what)) # fetch()
handlers = {"sell": sell}`,
		uses: {
			fetch: "import 1, call 7",
			Shop: "definition 2",
			limit: "definition 3",
			cached: "call 4",
			sell: "definition 5, call 7, reference 8",
			"Shop.sell": "definition 5, member 7",
		},
	},
	"a.rb": {
		text: `require "pool"
class Shop < Base
  attr_reader :price
  LIMIT = 3
  def sell(what) = pool.fetch(what)
  def sold?; price; end
  def self.open; sell(1) if sold?; end
end`,
		uses: {
			Shop: "definition 2",
			price: "definition 3, reference 6",
			LIMIT: "definition 4",
			sell: "definition 5, call 7",
			"Shop#sell": "definition 5",
			sold: "",
			"sold?": "definition 6, call 7",
			fetch: "call 5",
		},
	},
	"a.php": {
		text: `<?php
namespace Shop;
use Pool\\Fetcher;
class Till { const LIMIT = 3; public function sell($what) { return $this->pool->fetch(price($what)); } }
function price($x) { return Till::open() ?? new Fetcher(); }
// price($x)
$f = 'price';`,
		uses: {
			Till: "definition 4, reference 5",
			sell: "definition 4",
			fetch: "call 4",
			price: "call 4, definition 5",
			open: "call 5",
			Fetcher: "import 3, call 5",
		},
	},
	"a.sh": {
		text: `#!/bin/sh
. ./lib.sh
make_it() { echo "make_it"; }
make-all() { make_it one && helper "$(make_it two)"; }
# make_it is called
trap make_it EXIT
if ! make-all; then exit 1; fi`,
		uses: {
			make_it: "definition 3, call 4, reference 6",
			"make-all": "definition 4, call 7",
			make: "",
			helper: "call 4",
		},
	},
	"bin/tool": {
		text: "#!/usr/bin/env bash\nfunction run { :; }\nrun\n",
		uses: { run: "definition 2, call 3" },
	},
	"a.ps1": {
		text: "function Get-Shop { param($x) Write-Output $x }\nGet-Shop 1 # Get-Shop\n",
		uses: { "Get-Shop": "definition 1, call 2" },
	},
	"a.js": {
		text: `const { fetch } = require("./pool");
exports.sell = function (what) { return fetch(what); };
const handlers = { sell, pay: () => sell(1), open() {} };
class Till extends Base { #drawer = 1; count() { return this.#open(); } #open() { return new Till(); } }
Shop.prototype.close = () => {};
/* sell() */ "sell()"; \`\${sell(2)} sell(3)\`;`,
		uses: {
			fetch: "import 1, call 2",
			sell: "definition 2, call 3, call 6",
			pay: "definition 3",
			open: "definition 3, call 4, definition 4",
			Till: "definition 4, call 4",
			close: "definition 5",
		},
	},
	"a.ts": {
		text: `import { type Pool, fetch } from "./pool.ts";
export interface Shop { sell(what: string): void }
export const sell = async <T>(what: T): Promise<T> => fetch<T>(what);
export { sell as trade };
declare function declared(x: number): void;
abstract class Till implements Shop { abstract sell(): void; static open = () => sell(1); }`,
		uses: {
			fetch: "import 1, call 3",
			Shop: "definition 2, reference 6",
			sell: "declaration 2, definition 3, reference 4, declaration 6, call 6",
			declared: "declaration 5",
			Till: "definition 6",
		},
	},
	"a.tsx": {
		text: 'export const Page = () => <Row name="Row">Row</Row>;\nconst x = <Page />;\n',
		uses: { Page: "definition 1, call 2", Row: "call 1" },
	},
	"a.kt": { text: "fun sell() {}\nfun open() { sell() }\n", uses: { sell: "unread 1, unread 2" } },
};

afterEach(() => void vi.restoreAllMocks());

describe("how a name is used, by language", () => {
	it("is read also where time flies and the thread does not compute", () => {
		let now = 0;
		vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
		const text = `export function sell() {}\n${"sell(1, 2);\n".repeat(2000)}`;
		expect(findUses(indexTree([["a.ts", text]]), "sell")[0]).toMatchObject({ kind: "definition" });
	});

	for (const [path, { text, uses }] of Object.entries(LANGUAGES)) {
		it(path, () => {
			const index = indexTree([[path, text]]);
			const found = Object.keys(uses).map((name) => {
				const rows = findUses(index, name)
					.sort((a, b) => a.line - b.line)
					.map(({ kind, line }) => `${kind} ${line}`);
				return [name, rows.join(", ")];
			});
			expect(Object.fromEntries(found)).toEqual(uses);
		});
	}

	it("takes data for no code", () => {
		const index = indexTree([["answer.json", '{ "text": "export function sell() {}", "sell": 1 }']]);
		expect(findUses(index, "sell")).toEqual([]);
	});
});

"""Trains the table of word-piece vectors: python3 train.py DATA_DIRECTORY OUTPUT_DIRECTORY

DATA_DIRECTORY has what collect-pairs.mjs wrote (each file also as .gz), and model.onnx with tokenizer.json of all-MiniLM-L6-v2
(Apache-2.0). Each word piece starts as what MiniLM makes of it alone, reduced to 256 numbers, and is then trained so that a
description lies near its code: contrastive, negatives from the same packages, words that both sides share dropped at random,
words replaced by WordNet synonyms at random.
"""
import gzip, hashlib, json, os, sys, time
import numpy as np
import torch
import torch.nn.functional as F

DATA, OUT = sys.argv[1], sys.argv[2]
SEED, WIDTH = 20261115, 256
torch.manual_seed(SEED)
np.random.seed(SEED)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
started = time.time()


def log(*parts):
    print(f"[{time.time() - started:6.1f}]", *parts, flush=True)


def load(name):
    path = os.path.join(DATA, name)
    return open(path, "rb").read() if os.path.exists(path) else gzip.open(path + ".gz", "rb").read()


shape = json.loads(load("shape.json"))
PAIRS, DOC, CODE, WORDS = shape["pairs"], shape["docWords"], shape["codeWords"], shape["words"]


def tensor(name, dtype, *dims):
    return torch.from_numpy(np.frombuffer(load(name), dtype=dtype).astype(np.int64).reshape(*dims)).to(device)


doc = tensor("doc16.bin", np.uint16, PAIRS, DOC)
code = tensor("code16.bin", np.uint16, PAIRS, CODE)
count = tensor("count8.bin", np.uint8, PAIRS, CODE).float().clamp(max=9).sqrt()
source = tensor("source16.bin", np.uint16, PAIRS)
gloss = tensor("gloss16.bin", np.uint16, shape["glosses"], DOC + 12)
pieces = tensor("piece16.bin", np.uint16, WORDS, 6)
stem = torch.from_numpy(np.frombuffer(load("stem32.bin"), dtype=np.uint32).astype(np.int64)).to(device)
near = tensor("near16.bin", np.uint16, WORDS, 8)
log("pairs", PAIRS, "glosses", shape["glosses"], "words", WORDS, device)


def distill():
    """What the teacher makes of every word piece alone."""
    import onnxruntime

    session = onnxruntime.InferenceSession(load("model.onnx"), providers=["CPUExecutionProvider"])
    vocabulary = json.loads(load("tokenizer.json"))["model"]["vocab"]
    size = max(vocabulary.values()) + 1
    vectors = np.zeros((size, 384), dtype=np.float32)
    for begin in range(0, size, 512):
        ids = np.array([[101, i, 102] for i in range(begin, min(size, begin + 512))], dtype=np.int64)
        hidden = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)})[0]
        vectors[begin : begin + len(ids)] = hidden.mean(1)
    return torch.from_numpy(vectors).to(device)


cached = os.path.join(DATA, "distilled.f32")
if os.path.exists(cached):
    teacher = torch.from_numpy(np.fromfile(cached, dtype=np.float32).reshape(-1, 384)).to(device)
else:
    teacher = distill()
log("teacher", tuple(teacher.shape))
teacher = teacher / teacher.norm(dim=1, keepdim=True).clamp(min=1e-6)
_, _, basis = torch.linalg.svd(teacher - teacher.mean(0), full_matrices=False)
reduced = (teacher - teacher.mean(0)) @ basis[:WIDTH].T
frequency = torch.zeros(len(reduced), device=device)
frequency.index_add_(0, pieces[doc].reshape(-1), torch.ones(pieces[doc].numel(), device=device))
frequency[0] = 0
share = frequency / frequency.sum()
initial = reduced * (1e-3 / (1e-3 + share)).unsqueeze(1)
initial[0] = 0


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(initial.clone())

    def bag(self, words, weights):
        vectors = F.embedding(pieces[words], self.table)
        mask = (pieces[words] > 0).float().unsqueeze(-1)
        each = (vectors * mask).sum(2)
        return F.normalize((each * weights.unsqueeze(-1)).sum(1) + 1e-9, dim=-1)


def augment(docs, codes, weights, options):
    """Hides words that both sides share, on one side at a time, and says some of the description in other words."""
    rows = len(docs)
    keep = torch.ones_like(docs, dtype=torch.float)
    shared = (stem[docs].unsqueeze(2) == stem[codes].unsqueeze(1)).any(2) & (docs > 0)
    kind = torch.rand(rows, 1, device=device)
    hide = shared & (torch.rand(docs.shape, device=device) < options["drop"]) & (kind < options["hide"])
    enough = ((docs > 0) & ~hide).sum(1, keepdim=True) >= 4
    keep[hide & enough] = 0
    back = (stem[codes].unsqueeze(2) == stem[docs].unsqueeze(1)).any(2) & (codes > 0)
    weights = weights * (1 - (back & (torch.rand(codes.shape, device=device) < 0.6) & (kind > options["hide"]) & (kind < options["hide"] + 0.2)).float())
    other = near[docs].gather(2, torch.randint(0, 8, (*docs.shape, 1), device=device)).squeeze(2)
    swap = (other > 0) & (torch.rand(docs.shape, device=device) < options["swap"])
    docs = torch.where(swap, other, docs)
    keep = keep * (docs > 0).float()
    return docs, keep, weights


order = torch.argsort(source)
ends = torch.cumsum(torch.bincount(source), 0)
begins = ends - torch.bincount(source)
sizes = (ends - begins).float()
chance = torch.where(sizes >= 20, sizes.pow(0.7), torch.zeros_like(sizes))


def sample_pairs(groups, each):
    chosen = torch.multinomial(chance, groups)
    at = begins[chosen].unsqueeze(1) + (torch.rand(groups, each, device=device) * sizes[chosen].unsqueeze(1)).long()
    return order[at.reshape(-1).unique()]


def contrast(left, right, temperature):
    scores = left @ right.T / temperature
    target = torch.arange(len(left), device=device)
    return (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2


def train(options):
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    model = Table().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=options["rate"])
    steps = options["steps"]
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = options["rate"] * min((step + 1) / (steps * 0.06), max(0.02, 1 - step / steps))
        if np.random.rand() < options["gloss"]:
            rows = gloss[torch.randint(0, len(gloss), (1536,), device=device)]
            docs, codes = rows[:, :DOC], rows[:, DOC:]
            left, right = model.bag(docs, (docs > 0).float()), model.bag(codes, (codes > 0).float())
        else:
            at = sample_pairs(12, 128)
            docs, keep, weights = augment(doc[at], code[at], count[at], options)
            left, right = model.bag(docs, keep), model.bag(code[at], weights)
        loss = contrast(left, right, options["temperature"]) + options["stay"] * (model.table - initial).pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 1000 == 0:
            log(options["name"], "step", step, "loss", round(loss.item(), 3))
    return model


development = json.loads(load("dev.json")) if os.path.exists(os.path.join(DATA, "dev.json")) or os.path.exists(os.path.join(DATA, "dev.json.gz")) else None


@torch.no_grad()
def evaluate(model, name):
    if development is None:
        return 0.0
    def bag(words, counts):
        if not words:
            return torch.zeros(WIDTH, device=device)
        return model.bag(torch.tensor([words], device=device), torch.tensor([counts], device=device, dtype=torch.float).clamp(max=9).sqrt())[0]
    ranks = []
    trees = {}
    for package, files in development["trees"].items():
        width = 400
        rows = [(path, weight, p) for path, weight, passages in files for p in passages]
        w = torch.zeros(len(rows), width, dtype=torch.long); c = torch.zeros(len(rows), width)
        for i, (_, _, (words, counts)) in enumerate(rows):
            n = min(width, len(words)); w[i, :n] = torch.tensor(words[:n]); c[i, :n] = torch.tensor(counts[:n], dtype=torch.float)
        vectors = torch.cat([model.bag(w[b : b + 512].to(device), c[b : b + 512].to(device).clamp(max=9).sqrt()) for b in range(0, len(rows), 512)])
        trees[package] = (rows, vectors)
    for question in development["questions"]:
        rows, vectors = trees[question["p"]]
        scores = (vectors @ bag(question["w"], [1] * len(question["w"]))).tolist()
        best = {}
        for (path, weight, _), score in zip(rows, scores):
            best.setdefault(path, [weight, []])[1].append(score)
        final = sorted(((w * (0.8 * sorted(s)[-1] + 0.2 * sorted(s)[-min(2, len(s))]), p) for p, (w, s) in best.items()), reverse=True)
        ranks.append((question["k"], next((i + 1 for i, (_, p) in enumerate(final) if p in question["files"]), 999)))
    paraphrases = [r for k, r in ranks if k == "paraphrase"]
    naming = [r for k, r in ranks if k == "naming"]
    score = sum(1 / r for r in paraphrases) / len(paraphrases)
    log(name.ljust(28), "paraphrases", sum(r == 1 for r in paraphrases), sum(r <= 3 for r in paraphrases), sum(r <= 10 for r in paraphrases), "of", len(paraphrases), "mrr", round(score, 3), "naming", sum(r == 1 for r in naming), sum(r <= 3 for r in naming))
    return score


def save(model, name):
    table = model.table.detach().cpu().numpy().astype(np.float32)
    scale = np.abs(table).max(1) / 127
    scale[scale == 0] = 1
    data = np.round(table / scale[:, None]).astype(np.int8)
    body = np.array([len(table), WIDTH], dtype=np.uint32).tobytes() + scale.astype(np.float32).tobytes() + data.tobytes()
    path = os.path.join(OUT, name)
    open(path, "wb").write(body)
    log("wrote", name, len(body), hashlib.sha256(body).hexdigest())


BASE = {"name": "shipped", "rate": 3e-4, "steps": 4000, "temperature": 0.12, "gloss": 0.25, "stay": 0.0, "drop": 0.7, "hide": 0.55, "swap": 0.15}
if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    evaluate(Table().to(device), "distilled only")
    variants = json.loads(os.environ.get("VARIANTS", "[{}]"))
    best, best_name = -1.0, ""
    for variant in variants:
        options = {**BASE, **variant}
        model = train(options)
        score = evaluate(model, options["name"])
        if score > best:
            best, best_name = score, options["name"]
            save(model, "table.i8")
    log("kept", best_name)

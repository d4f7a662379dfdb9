"""The networks, in plain PyTorch: a BERT encoder, the tagger's span and pair heads, the direction classifier."""
import math

import torch
from torch import nn
from torch.nn import functional as F

TYPE_COUNT = 9
CLASSES = 1 + TYPE_COUNT  # none first
MAX_WIDTH = 30  # pieces in a span
BUCKETS = 17


class PoolDropout(nn.Module):
    """Dropout whose masks are cut at random places from one pool: drawing fresh ones is slow on a CPU."""
    pools = {}

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p not in self.pools:
            self.pools[self.p] = (torch.rand(1 << 23) >= self.p).float() / (1 - self.p)
        pool = self.pools[self.p]
        if x.numel() >= len(pool):
            return F.dropout(x, self.p)
        at = int(torch.randint(len(pool) - x.numel(), (1,)))
        return x * pool[at:at + x.numel()].view(x.shape)


class Layer(nn.Module):
    def __init__(self, width, heads, inner, dropout):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.attended = nn.Linear(width, width)
        self.attended_norm = nn.LayerNorm(width, eps=1e-12)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.outer_norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = PoolDropout(dropout)

    def forward(self, h, mask):
        b, n, d = h.shape
        split = lambda x: x.view(b, n, self.heads, d // self.heads).transpose(1, 2)
        a = F.scaled_dot_product_attention(split(self.query(h)), split(self.key(h)), split(self.value(h)), mask)
        a = a.transpose(1, 2).reshape(b, n, d)
        h = self.attended_norm(h + self.dropout(self.attended(a)))
        return self.outer_norm(h + self.dropout(self.outer(F.gelu(self.inner(h)))))


class Encoder(nn.Module):
    def __init__(self, layers=12, width=384, heads=12, inner=1536, vocabulary=30522, dropout=0.1):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(512, width)
        self.kinds = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = PoolDropout(dropout)
        self.layers = nn.ModuleList(Layer(width, heads, inner, dropout) for _ in range(layers))

    def embed(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        return self.dropout(self.norm(self.words(ids) + self.places(places) + self.kinds.weight[0]))

    def run(self, h, mask, first=0, last=None):
        bias = (1.0 - mask[:, None, None, :].to(h.dtype)) * -1e4
        for layer in self.layers[first:last]:
            h = layer(h, bias)
        return h

    def forward(self, ids, mask):
        """ids, mask [batch, pieces] of integers -> states [batch, pieces, width]."""
        return self.run(self.embed(ids), mask)


def load_onnx_weights(encoder, path):
    """Copies the initialisers of a BERT exported to fp32 ONNX into the encoder's first layers, one to one."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(str(path)).graph
    arrays = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    matrices = {n.name.strip("/"): n.input[1] for n in graph.node if n.op_type == "MatMul" and n.input[1] in arrays}
    state = {"words.weight": arrays["embeddings.word_embeddings.weight"],
             "places.weight": arrays["embeddings.position_embeddings.weight"],
             "kinds.weight": arrays["embeddings.token_type_embeddings.weight"],
             "norm.weight": arrays["embeddings.LayerNorm.weight"], "norm.bias": arrays["embeddings.LayerNorm.bias"]}
    names = {"query": "attention/self/query", "key": "attention/self/key", "value": "attention/self/value",
             "attended": "attention/output/dense", "inner": "intermediate/dense", "outer": "output/dense"}
    norms = {"attended_norm": "attention.output.LayerNorm", "outer_norm": "output.LayerNorm"}
    for i in range(len(encoder.layers)):
        for mine, theirs in names.items():
            state[f"layers.{i}.{mine}.weight"] = arrays[matrices[f"encoder/layer.{i}/{theirs}/MatMul"]].T.contiguous()
            state[f"layers.{i}.{mine}.bias"] = arrays[f"encoder.layer.{i}.{theirs.replace('/', '.')}.bias"]
        for mine, theirs in norms.items():
            for kind in ("weight", "bias"):
                state[f"layers.{i}.{mine}.{kind}"] = arrays[f"encoder.layer.{i}.{theirs}.{kind}"]
    encoder.load_state_dict(state)


def load_quantised_weights(encoder, path):
    """Copies a BERT whose 8-bit weights stand in the ONNX file as integers and scales, multiplied out."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(str(path)).graph
    arrays = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    for name in [n[:-2] for n in arrays if n.endswith("_q")]:
        arrays[name] = arrays[name + "_q"].float() * arrays[name + "_scale"]
    prefix = "inner."
    state = {"words.weight": arrays[prefix + "embeddings.word_embeddings.weight"],
             "places.weight": arrays[prefix + "embeddings.position_embeddings.weight"],
             "kinds.weight": arrays[prefix + "embeddings.token_type_embeddings.weight"],
             "norm.weight": arrays[prefix + "embeddings.LayerNorm.weight"],
             "norm.bias": arrays[prefix + "embeddings.LayerNorm.bias"]}
    names = {"attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
             "attention.output.dense": "attended", "intermediate.dense": "inner", "output.dense": "outer"}
    products = {n.output[0]: n.input[1] for n in graph.node if n.op_type == "MatMul" and n.input[1] in arrays}
    for node in graph.node:
        for bias in node.input if node.op_type == "Add" else ():
            product = next((products[i] for i in node.input if i in products), None)
            if product and bias in arrays and bias.startswith(prefix + "encoder.layer."):
                number, part = bias[len(prefix + "encoder.layer."):-len(".bias")].split(".", 1)
                state[f"layers.{number}.{names[part]}.weight"] = arrays[product].T.contiguous()
                state[f"layers.{number}.{names[part]}.bias"] = arrays[bias]
    for i in range(len(encoder.layers)):
        for mine, theirs in {"attended_norm": "attention.output.LayerNorm", "outer_norm": "output.LayerNorm"}.items():
            for kind in ("weight", "bias"):
                state[f"layers.{i}.{mine}.{kind}"] = arrays[f"{prefix}encoder.layer.{i}.{theirs}.{kind}"]
    encoder.load_state_dict(state)


class SpanHead(nn.Module):
    """Scores every span (start, end) as an argument (channel 0) and as a trigger (channel 1)."""

    def __init__(self, width=384, size=128, dropout=0.1):
        super().__init__()
        self.size = size
        self.start = nn.Linear(width, 2 * size)
        self.end = nn.Linear(width, 2 * size)
        self.bilinear = nn.Parameter(torch.randn(2, size, size) * 0.02)
        self.start_score = nn.Linear(width, 2)
        self.end_score = nn.Linear(width, 2)
        self.inside = nn.Linear(width, 2)
        self.width_bias = nn.Parameter(torch.zeros(2, MAX_WIDTH))
        self.bias = nn.Parameter(torch.tensor([-5.0, -5.0]))
        self.dropout = PoolDropout(dropout)

    def forward(self, h):
        """[batch, n, width] -> logits [batch, 2, n, n]; what is no span (end < start, too long) is -20."""
        b, n, _ = h.shape
        h = self.dropout(h)
        s = F.gelu(self.start(h)).view(b, n, 2, self.size).transpose(1, 2)
        e = F.gelu(self.end(h)).view(b, n, 2, self.size).transpose(1, 2)
        inside = self.inside(h).transpose(1, 2)
        before = torch.cumsum(inside, 2)
        places = torch.arange(n, device=h.device)
        distance = places[None, :] - places[:, None]
        scores = (s @ self.bilinear) @ e.transpose(2, 3) / math.sqrt(self.size)
        scores = scores + self.start_score(h).transpose(1, 2)[:, :, :, None] + self.end_score(h).transpose(1, 2)[:, :, None, :]
        scores = scores + (before[:, :, None, :] - (before - inside)[:, :, :, None]) * 0.2
        scores = scores + self.width_bias[:, distance.clamp(0, MAX_WIDTH - 1)] + self.bias[:, None, None]
        inside_band = (distance >= 0) & (distance < MAX_WIDTH)
        return torch.where(inside_band, scores, torch.full_like(scores, -20.0))


def bucket(distance):
    """Signed distance in pieces -> 0..16, finer when near; 8 is inside or touching nothing in between."""
    size = distance.abs()
    level = (size >= 1).long() + (size >= 2).long() + (size >= 3).long() + (size >= 5).long() + (size >= 9).long() \
        + (size >= 17).long() + (size >= 33).long() + (size >= 65).long()
    return torch.where(distance < 0, 8 - level, 8 + level)


class PairHead(nn.Module):
    """Reads pairs of spans: which link, if any, runs from the first to the second, and where its trigger stands."""

    def __init__(self, width=384, hidden=256, heads=4, size=32, dropout=0.1):
        super().__init__()
        self.heads, self.size, self.hidden = heads, size, hidden
        self.span = nn.Linear(3 * width, hidden)
        self.span_width = nn.Embedding(BUCKETS, hidden)
        self.span_norm = nn.LayerNorm(hidden)
        self.cause = nn.Linear(hidden, hidden)
        self.effect = nn.Linear(hidden, hidden)
        self.product = nn.Linear(hidden, hidden)
        self.cause_factor = nn.Linear(hidden, hidden)
        self.effect_factor = nn.Linear(hidden, hidden)
        self.between = nn.Linear(width, hidden)
        self.distance = nn.Embedding(BUCKETS, hidden)
        self.cause_query = nn.Linear(hidden, heads * size)
        self.effect_query = nn.Linear(hidden, heads * size)
        self.keys = nn.Linear(width, heads * size)
        self.salience = nn.Linear(width, heads)
        self.values = nn.Linear(width, hidden)
        self.attended = nn.Linear(hidden, hidden)
        self.cause_bias = nn.Parameter(torch.zeros(BUCKETS, heads))
        self.effect_bias = nn.Parameter(torch.zeros(BUCKETS, heads))
        self.middle = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, CLASSES + 2)
        with torch.no_grad():
            self.out.bias[0] = 4.0  # most pairs are no link
        self.dropout = PoolDropout(dropout)

    def forward(self, h, mask, starts, ends):
        """h [b, n, width], mask [b, n], starts and ends [b, m] (inclusive pieces) ->
        logits [b, m, m, none + types + negated + hedged], trigger log-attention [b, m, m, n] (piece 0: no trigger)."""
        b, n, d = h.shape
        m = starts.shape[1]
        take = lambda x, at: torch.gather(x, 1, at[:, :, None].expand(-1, -1, x.shape[2]))
        sums = F.pad(torch.cumsum(h, 1), (0, 0, 1, 0))
        width = (ends - starts + 1)
        mean = (take(sums, ends + 1) - take(sums, starts)) / width[:, :, None].to(h.dtype)
        r = self.span(torch.cat([take(h, starts), take(h, ends), mean], 2)) + self.span_width(bucket(width))
        r = self.dropout(self.span_norm(F.gelu(r)))

        between = self.between(h)
        between_sums = F.pad(torch.cumsum(between, 1), (0, 0, 1, 0))
        first_is_cause = starts[:, :, None] <= starts[:, None, :]
        left = torch.where(first_is_cause, ends[:, :, None], ends[:, None, :]) + 1
        right = torch.where(first_is_cause, starts[:, None, :], starts[:, :, None])
        right = torch.maximum(left, right)
        count = (right - left)
        flat = lambda at: take(between_sums, at.reshape(b, m * m)).view(b, m, m, self.hidden)
        middle = (flat(right) - flat(left)) / count.clamp(min=1)[..., None].to(h.dtype)
        distance = self.distance(bucket(torch.where(first_is_cause, count + 1, -count - 1)))

        split = lambda x, k: x.view(b, -1, self.heads, k).transpose(1, 2)
        keys = split(self.keys(h), self.size).transpose(2, 3)
        scale = 1 / math.sqrt(self.size)
        places = torch.arange(n, device=h.device)[None, None, :]
        off = torch.where(places < starts[..., None], places - starts[..., None],
                          torch.where(places > ends[..., None], places - ends[..., None], torch.zeros_like(places)))
        relative = bucket(off)
        from_cause = (split(self.cause_query(r), self.size) @ keys) * scale + self.cause_bias[relative].permute(0, 3, 1, 2)
        from_effect = (split(self.effect_query(r), self.size) @ keys) * scale + self.effect_bias[relative].permute(0, 3, 1, 2)
        salience = self.salience(h).transpose(1, 2) + (1.0 - mask[:, None, :].to(h.dtype)) * -1e4
        scores = from_cause[:, :, :, None, :] + from_effect[:, :, None, :, :] + salience[:, :, None, None, :]
        weights = torch.softmax(scores, -1)
        values = split(self.values(h), self.hidden // self.heads)
        attended = weights.reshape(b, self.heads, m * m, n) @ values
        attended = attended.transpose(1, 2).reshape(b, m, m, self.hidden)

        product = self.cause_factor(r)[:, :, None, :] * self.effect_factor(r)[:, None, :, :]
        pair = self.cause(r)[:, :, None, :] + self.effect(r)[:, None, :, :] + self.product(product) \
            + middle + distance + self.attended(attended)
        pair = self.dropout(F.gelu(pair))
        pair = self.dropout(F.gelu(self.middle(pair)))
        return self.out(pair), torch.log_softmax(scores[:, 0], -1)


class TaggerNet(nn.Module):
    def __init__(self, layers=12, dropout=0.1):
        super().__init__()
        self.encoder = Encoder(layers=layers, dropout=dropout)
        self.spans = SpanHead()
        self.pairs = PairHead()
        self.gate = nn.Linear(384, 1)  # does the passage hold any link?


class DirectionNet(nn.Module):
    """Queries -> logits of the labels. Rare pieces share the unknown piece's row, so that the table stays small."""

    def __init__(self, layers=6, labels=3, dropout=0.1, rows=30522):
        super().__init__()
        self.encoder = Encoder(layers=layers, dropout=dropout, vocabulary=rows)
        self.register_buffer("row_of", torch.arange(30522, dtype=torch.int32).clamp(max=rows - 1))
        self.hidden = nn.Linear(2 * 384, 384)
        self.out = nn.Linear(384, labels)
        self.dropout = PoolDropout(dropout)

    def forward(self, ids, mask):
        h = self.encoder(F.embedding(ids, self.row_of[:, None])[..., 0] if torch.onnx.is_in_onnx_export()
                         else self.row_of[ids], mask)
        weight = mask[..., None].to(h.dtype)
        mean = (h * weight).sum(1) / weight.sum(1)
        return self.out(self.dropout(torch.tanh(self.hidden(self.dropout(torch.cat([h[:, 0], mean], 1))))))

    def prune(self, keep, unknown=100):
        """Keeps the table's rows of these ids (ascending, the unknown piece among them)."""
        words = self.encoder.words.weight.data[torch.tensor(keep)]
        self.encoder.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.row_of = torch.full((30522,), keep.index(unknown), dtype=torch.int32)
        self.row_of[torch.tensor(keep)] = torch.arange(len(keep), dtype=torch.int32)

/** Inline mathematics as readable words: TeX commands that print one sign become it, grouping is dropped. */
import type { TextBuilder } from './builder.ts';

/** What a command prints, for mathematics and text alike. */
export const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alpha: 'α',
    beta: 'β',
    gamma: 'γ',
    delta: 'δ',
    epsilon: 'ε',
    varepsilon: 'ε',
    zeta: 'ζ',
    eta: 'η',
    theta: 'θ',
    vartheta: 'ϑ',
    iota: 'ι',
    kappa: 'κ',
    lambda: 'λ',
    mu: 'μ',
    nu: 'ν',
    xi: 'ξ',
    pi: 'π',
    rho: 'ρ',
    sigma: 'σ',
    tau: 'τ',
    upsilon: 'υ',
    phi: 'φ',
    varphi: 'φ',
    chi: 'χ',
    psi: 'ψ',
    omega: 'ω',
    Gamma: 'Γ',
    Delta: 'Δ',
    Theta: 'Θ',
    Lambda: 'Λ',
    Xi: 'Ξ',
    Pi: 'Π',
    Sigma: 'Σ',
    Phi: 'Φ',
    Psi: 'Ψ',
    Omega: 'Ω',
    times: '×',
    cdot: '·',
    div: '÷',
    pm: '±',
    mp: '∓',
    leq: '≤',
    le: '≤',
    geq: '≥',
    ge: '≥',
    neq: '≠',
    ne: '≠',
    approx: '≈',
    sim: '~',
    simeq: '≃',
    equiv: '≡',
    propto: '∝',
    ll: '≪',
    gg: '≫',
    to: '→',
    rightarrow: '→',
    longrightarrow: '→',
    Rightarrow: '⇒',
    leftarrow: '←',
    Leftarrow: '⇐',
    leftrightarrow: '↔',
    uparrow: '↑',
    downarrow: '↓',
    mapsto: '↦',
    infty: '∞',
    circ: '°',
    degree: '°',
    in: '∈',
    notin: '∉',
    subset: '⊂',
    subseteq: '⊆',
    cup: '∪',
    cap: '∩',
    emptyset: '∅',
    forall: '∀',
    exists: '∃',
    neg: '¬',
    land: '∧',
    lor: '∨',
    sum: '∑',
    prod: '∏',
    int: '∫',
    partial: '∂',
    nabla: '∇',
    sqrt: '√',
    perp: '⊥',
    bot: '⊥',
    parallel: '∥',
    mid: '|',
    ldots: '…',
    dots: '…',
    cdots: '…',
    dagger: '†',
    ddagger: '‡',
    ast: '*',
    star: '⋆',
    prime: '′',
    ell: 'ℓ',
    hbar: 'ℏ',
    lbrace: '{',
    rbrace: '}',
    langle: '⟨',
    rangle: '⟩',
  }),
);

const SPACES = new Set(['quad', 'qquad', 'space', ',', ';', ':', ' ', '>', '\\']);
const SIGNS = new Set(['%', '&', '$', '#', '_', '{', '}']);
// A raised degree or dagger needs no sign that it is raised.
const TOKENS =
  /(\^\s*(?:\{\s*)?)(?=\\(?:circ|degree|prime|d?dagger|ast)\b)|\\([a-zA-Z]+|[^a-zA-Z])|[{}$&~]|[^\\{}$&~]+/gs;

/** Writes source[start, end), TeX mathematics without its delimiters, as words. Never throws. */
export function writeMath(out: TextBuilder, start: number, end: number): void {
  const raw = out.source.slice(start, end);
  let fraction = false;
  const groups: boolean[] = [];
  let skipTo = 0;
  for (const match of raw.matchAll(TOKENS)) {
    const [token, raised, command] = match;
    const at = start + match.index;
    if (raised !== undefined || match.index < skipTo) continue;
    if (command !== undefined) {
      const symbol = SYMBOLS.get(command);
      if (SIGNS.has(command)) out.copy(at + 1, at + 2);
      else if (symbol !== undefined) out.atom(symbol, at, at + token.length);
      else if (SPACES.has(command)) out.space();
      else if (/^[dt]?frac$/.test(command)) fraction = true;
    } else if (token === '{') {
      groups.push(fraction);
      fraction = false;
    } else if (token === '}') {
      const between =
        groups.pop() === true ? /^\}\s*\{/.exec(raw.slice(match.index, match.index + 40)) : null;
      if (between === null) continue;
      out.atom('/', at, at + between[0].length);
      skipTo = match.index + between[0].length;
      groups.push(false);
    } else if (token === '&' || token === '~') out.space();
    else if (token !== '$') out.copy(at, at + token.length);
  }
}

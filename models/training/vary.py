"""Changes a question's surface in training and leaves its direction: slips of typing, dropped articles and marks,
a neutral sentence around it, hidden pieces."""
import re

BEFORE = [
    "I have put all the notes in one folder.", "Sorry if somebody has asked this before.", "New here, so bear with me.",
    "We have about two hundred documents on this.", "The reports are long and I am short of time.",
    "I read most of this on the train.", "For the meeting on Thursday.", "Please use the documents only.",
    "My colleague could not tell me either.", "Below is what I'd like to ask.", "Hello,", "Quick one:", "Question:",
    "I've gone over the file twice.", "Not urgent, but it keeps coming up.", "There is a summary at the end of the binder.",
    "Some of these pages are scans and hard to read.", "As agreed I looked at the shared drive.", "hi all", "ok so",
    "The intranet search found nothing.", "I'm writing the chapter on this now.", "From the documents:",
    "This is for the exam next week.", "The other day this came up at lunch.",
]
AFTER = [
    "Thanks.", "Please cite the passages.", "Keep it short.", "A list will do.", "thx", "Many thanks in advance.",
    "I need it by noon.", "In plain words, please.", "Quote the file.", "Two sentences are enough.", "Cheers, Ann",
    "If the notes are silent, say so.", "No need to be complete.", "Use the newest version of the file.",
]
ARTICLES = re.compile(r"\b(the|a|an)\s+", re.IGNORECASE)
PLAIN, RARE_FROM, MASK = 103, 3000, 103  # ids up to PLAIN are special; commoner words than RARE_FROM carry the grammar


def slip(word, rng):
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2:]
    if kind == 1:
        return word[:at] + word[at + 1:]
    if kind == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + rng.choice("aeirstnlo") + word[at + 1:]


def vary(text, rng):
    """One variant of a question; most are left as they are."""
    if rng.random() < 0.15:
        text = text.rstrip("?. ")
    if rng.random() < 0.1:
        text = ARTICLES.sub("", text)
    if rng.random() < 0.15:
        words = text.split(" ")
        long = [i for i, w in enumerate(words) if len(w) >= 4 and w.isalpha()]
        for i in rng.sample(long, min(len(long), rng.choice([1, 1, 2]))):
            words[i] = slip(words[i], rng)
        text = " ".join(words)
    kind = rng.random()
    if kind < 0.07:
        text = f"{rng.choice(BEFORE)} {text}"
    elif kind < 0.11:
        text = f"{text} {rng.choice(AFTER)}"
    return text


def hide(ids, share, rng):
    """Hides pieces: rare ones, names above all, with the given share, common ones with a fifth of it."""
    return [MASK if i > PLAIN and rng.random() < (share if i >= RARE_FROM else share / 5) else i for i in ids]

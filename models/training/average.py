"""Averages the weights of several checkpoints of one run: python average.py --out averaged.pt best.pt last.pt"""
import argparse
import pathlib

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("checkpoints", type=pathlib.Path, nargs="+")
    args = parser.parse_args()
    states = [torch.load(path, map_location="cpu")["state"] for path in args.checkpoints]
    mean = {name: (sum(s[name].float() for s in states) / len(states)).to(value.dtype) if value.is_floating_point() else value
            for name, value in states[0].items()}
    torch.save({"state": mean}, args.out)


if __name__ == "__main__":
    main()

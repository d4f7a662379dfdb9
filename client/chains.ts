/** The view "Chains": chains of the answer on show, their hops, and the words behind each. */
import * as vscode from 'vscode';
import type { ChainView, HopView, LinkView } from '../server/protocol.ts';
import type { Causeway } from './causeway.ts';
import { placeName } from './markdown.ts';

export type ChainNode =
  | { readonly kind: 'chain'; readonly at: number; readonly chain: ChainView }
  | { readonly kind: 'hop'; readonly hop: HopView; readonly parent: ChainNode }
  | { readonly kind: 'quote'; readonly link: LinkView; readonly parent: ChainNode };

export class ChainsView implements vscode.TreeDataProvider<ChainNode>, vscode.Disposable {
  readonly #causeway: Causeway;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #listener: vscode.Disposable;
  #shown: unknown = null;

  constructor(causeway: Causeway) {
    this.#causeway = causeway;
    this.#listener = causeway.onDidChange(() => {
      if (causeway.answer === this.#shown) return;
      this.#shown = causeway.answer;
      this.#changed.fire(undefined);
    });
  }

  getChildren(node?: ChainNode): ChainNode[] {
    if (node === undefined) {
      return (this.#causeway.answer?.view.chains ?? []).map((chain, at) => ({ kind: 'chain', at, chain }));
    }
    if (node.kind === 'chain') return node.chain.hops.map((hop) => ({ kind: 'hop', hop, parent: node }));
    if (node.kind === 'hop')
      return [node.hop, ...node.hop.also].map((link) => ({ kind: 'quote', link, parent: node }));
    return [];
  }

  getParent(node: ChainNode): ChainNode | undefined {
    return node.kind === 'chain' ? undefined : node.parent;
  }

  getTreeItem(node: ChainNode): vscode.TreeItem {
    switch (node.kind) {
      case 'chain': {
        const { hops } = node.chain;
        const names = [hops[0]?.cause.text ?? '', ...hops.map((hop) => hop.effect.text)].join(' → ');
        const item = new vscode.TreeItem(
          `${node.at + 1}. ${names}`,
          vscode.TreeItemCollapsibleState.Expanded,
        );
        item.id = `${this.#causeway.answer?.run}-${node.at}`;
        item.description = hops.length === 1 ? '1 hop' : `${hops.length} hops`;
        item.iconPath = new vscode.ThemeIcon('git-commit');
        item.contextValue = 'chain';
        item.tooltip = names;
        return item;
      }
      case 'hop': {
        const { hop } = node;
        const item = new vscode.TreeItem(
          `[${hop.number}] ${hop.cause.text} → ${hop.effect.text}`,
          vscode.TreeItemCollapsibleState.Collapsed,
        );
        item.id = `${this.#causeway.answer?.run}-hop-${hop.number}`;
        item.description = hop.hedged ? `possibly ${hop.type}` : hop.type;
        item.iconPath = new vscode.ThemeIcon('arrow-right');
        item.contextValue = 'hop';
        item.tooltip = `${hop.evidence.text}\n${placeName(hop.evidence)}`;
        item.command = { command: 'causeway.openHop', title: 'Open the Words', arguments: [node] };
        item.accessibilityInformation = {
          label: `Hop ${hop.number}: ${hop.cause.text} ${hop.type} ${hop.effect.text}. ${hop.evidence.text}`,
        };
        return item;
      }
      case 'quote': {
        const { evidence } = node.link;
        const item = new vscode.TreeItem(`“${evidence.text}”`, vscode.TreeItemCollapsibleState.None);
        item.description = placeName(evidence);
        item.tooltip = `${evidence.text}\n${placeName(evidence)}`;
        item.iconPath = new vscode.ThemeIcon('quote');
        item.contextValue = 'quote';
        item.command = { command: 'causeway.openHop', title: 'Open the Words', arguments: [node] };
        return item;
      }
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

/** The link that a node stands for; null for a chain. */
export function linkOf(node: ChainNode): LinkView | null {
  return node.kind === 'chain' ? null : node.kind === 'hop' ? node.hop : node.link;
}

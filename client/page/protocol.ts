/** Between the view "Ask" and its page. Imports nothing. */

export type ToAskPage =
  | {
      readonly kind: 'state';
      /** Latest first. */
      readonly history: readonly { readonly question: string; readonly when: string }[];
      /** The question under way; null when none is. */
      readonly asking: string | null;
      /** Whether a folder is open. */
      readonly folder: boolean;
    }
  | { readonly kind: 'focus'; readonly question?: string };

export type FromAskPage =
  | { readonly kind: 'ready' | 'cancel' | 'open-folder' | 'sample' }
  | { readonly kind: 'ask' | 'forget'; readonly question: string };

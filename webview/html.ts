/** The page's frame, made by the host. Pure text: usable where there is no DOM. */

export interface PanelHtmlOptions {
  /** Fresh for each load, at least 128 random bits, letters and digits only. */
  readonly nonce: string;
  /** `webview.cspSource`. */
  readonly cspSource: string;
  /** `webview.asWebviewUri` of dist/webview/main.js. */
  readonly scriptUri: string;
  /** `webview.asWebviewUri` of dist/webview/main.css. */
  readonly styleUri: string;
  /** Where the page stands, which decides its background: the editor area (default) or a side bar. */
  readonly surface?: 'editor' | 'sideBar';
}

/**
 * The HTML of the panel and of the side bar view: no inline script or style, nothing from outside.
 * Images are allowed as `data:` and `blob:` because the page draws its own graph to a PNG for export.
 */
export function panelHtml({
  nonce,
  cspSource,
  scriptUri,
  styleUri,
  surface = 'editor',
}: PanelHtmlOptions): string {
  const csp = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeAttribute(styleUri)}">
<title>Causeway</title>
</head>
<body data-surface="${surface}">
<main id="causeway"></main>
<script nonce="${escapeAttribute(nonce)}" src="${escapeAttribute(scriptUri)}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

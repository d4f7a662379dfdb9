/** Who may know whom: the rooms of docs/ARCHITECTURE.md. Broken walls fail `npm run check:rooms`. */
const room = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(client|server|webview|models|test|scripts)/', pathNot: allowed },
});
module.exports = {
  forbidden: [
    room('models-know-nobody', '^models/', '^models/'),
    room('the-method-knows-only-itself-and-shapes', '^server/sarg/', '^(server/sarg/|models/protocol\\.ts$)'),
    room(
      'workspace-knows-the-methods-shapes',
      '^server/workspace/',
      '^(server/workspace/|server/sarg/(types|abbreviations)\\.ts$|models/protocol\\.ts$)',
    ),
    room('server-knows-its-rooms-and-models', '^server/([^/]+|cli/[^/]+)\\.ts$', '^(server/|models/)'),
    room('lsp-hands-over', '^server/lsp/', '^(server/|models/protocol\\.ts$)'),
    room(
      'webview-knows-protocols',
      '^webview/',
      '^(webview/|server/protocol\\.ts$|server/sarg/types\\.ts$|models/protocol\\.ts$)',
    ),
    room(
      'client-knows-protocols',
      '^client/',
      '^(client/|server/protocol\\.ts$|webview/(protocol|html|text)\\.ts$)',
    ),
    {
      name: 'protocols-import-only-types',
      severity: 'error',
      from: { path: '(^|/)protocol\\.ts$' },
      to: { dependencyTypesNot: ['type-only'], pathNot: 'types\\.ts$|protocol\\.ts$' },
    },
    {
      name: 'the-method-has-no-file-system',
      severity: 'error',
      from: { path: '^server/sarg/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'only-the-client-knows-vscode',
      severity: 'error',
      from: { pathNot: '^(client|test/vscode)/' },
      to: { path: '^vscode$' },
    },
    {
      name: 'only-the-webview-knows-d3',
      severity: 'error',
      from: { pathNot: '^(webview|test)/' },
      to: { path: 'node_modules/d3' },
    },
    {
      name: 'only-models-run-networks',
      severity: 'error',
      from: { pathNot: '^(models|test)/' },
      to: { path: 'node_modules/(onnxruntime|node-llama)' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|models/training)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};

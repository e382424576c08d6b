/** Static files by name, with their paths in the project. The build packs them; see `embedded.ts`. */
export const assets = {
  'docs/page.html': 'src/http/docs/page.html',
  'docs/page.css': 'src/http/docs/page.css',
  'docs/page.js': 'src/http/docs/page.js',
  'docs/ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs/ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'phone-numbers.json': 'node_modules/libphonenumber-js/metadata.min.json',
} as const

export type AssetName = keyof typeof assets

/** The threads that compare telephone numbers, and are handed the numbering plans. */
export const phoneThreads: readonly string[] = ['worker', 'read-thread', 'long-request-thread']

/** Libraries that most servers never load. Each is packed apart from the program, because V8 reads all of the program's code at each start. */
export const libraries = ['ical-generator', 'imapflow', 'prom-client', 'smtp-server'] as const

export type LibraryName = (typeof libraries)[number]

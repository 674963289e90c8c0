import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

const EARLY = 'early'
/**
 * Font in which nearly all text is set. The font is loaded with the first view, because the text would move if it
 * arrived later.
 */
const TYPEFACE = /inter-latin-wght-normal[^/]*\.woff2$/

/**
 * Entry module of the app. The first file contains this module and everything that it imports: the frame and the flag
 * list. The first file also contains some lines that the messages share with another page, which would otherwise become
 * a separate file.
 */
const FIRST = /src[\\/]main\.tsx$|[\\/]get-style-object\.[a-z]+$/
/** Module of the flag page, which people often open directly from links in chats and tickets. */
const FLAG_PAGE = /src[\\/]flag[\\/]flag-page\.tsx$/
/** Maximum size of the first file, in kilobytes of uncompressed text; compression reduces it to a third. */
const MAX_FIRST_KB = 700

/** Matches files that the server can send compressed. */
const COMPRESSIBLE = /\.(css|js|json|svg)$/
/** Minimum size for which compression pays off. The server does not compress smaller bodies either. */
const MIN_COMPRESSED_BYTES = 1024

/** Writes a Brotli-compressed copy next to every compressible file in a folder. */
function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath}/${entry.name}`
    if (!entry.isFile() || !COMPRESSIBLE.test(path)) continue
    const bytes = readFileSync(path)
    if (bytes.length < MIN_COMPRESSED_BYTES) continue
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    )
  }
}

/**
 * Addresses are relative, so that the same build works below any base path. The server makes the addresses in the HTML
 * page absolute.
 */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  base: './',
  // use the sources of other packages, so that the build need not wait for their compilation
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [
    react(),
    {
      name: EARLY,
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler: (_html, { bundle = {} }) => {
          const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []))
          const early = chunks.find(({ name }) => name === EARLY)
          if (early === undefined) throw new Error(`${EARLY} is not built`)
          if (early.imports.length > 0) throw new Error(`${EARLY} waits for ${early.imports}`)
          const attrs = { type: 'module', async: true, crossorigin: true, src: `./${early.fileName}` }
          return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
        },
      },
    },
    {
      name: 'typeface',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler: (_html, { bundle = {} }) => {
          const file = Object.keys(bundle).find((name) => TYPEFACE.test(name))
          if (file === undefined) throw new Error('The typeface is not built')
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` }
          return [{ tag: 'link', attrs, injectTo: 'head' }]
        },
      },
    },
    {
      name: 'brotli',
      apply: 'build',
      writeBundle: { order: 'post', sequential: true, handler: ({ dir = '' }) => compressFiles(dir) },
    },
  ],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // one style sheet for all pages: the first view loads eight kilobytes more, but later pages wait for no further
    // requests
    cssCodeSplit: false,
    reportCompressedSize: true,
    chunkSizeWarningLimit: MAX_FIRST_KB,
    // list the packages whose code is in the bundle, with their licenses, for THIRD-PARTY-NOTICES.md and the bill of
    // materials
    license: { fileName: 'licences.json' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // contains early-reads.ts and only its own imports, because it must not wait for more code
            {
              name: EARLY,
              test: /src[\\/](early-reads|api[\\/]http|api[\\/]first[\\/][a-z-]+|flags[\\/]first-list)\.ts$/,
              priority: 3,
            },
            // puts everything that the frame and the flag list need into one file: each additional file would be
            // requested, parsed and compiled separately, which would delay the first rows
            { name: 'first', test: FIRST, priority: 2 },
            // also puts code that several pages share into one file, because browsers use only a few connections
            { name: 'shared', minShareCount: 4, priority: 1 },
            // puts the rest of the flag page into one file, for the same reason
            { name: 'flag-page', test: FLAG_PAGE },
          ],
        },
      },
    },
  },
})

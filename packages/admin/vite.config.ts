import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const EARLY = 'early'
/** The typeface of nearly all texts: a first view that begins without it would move once it is there. */
const TYPEFACE = /inter-latin-wght-normal[^/]*\.woff2$/

/** What the frame and the list begin with. */
const ROOTS =
  /src[\\/](main\.tsx|shell[\\/]shell\.tsx|flags[\\/]flags-page\.tsx|([a-z-]+[\\/])?([a-z-]+-)?search-params\.ts)$/
/** What the entry needs as well: files of some hundred bytes, for each of which the first view would wait. */
const SHARED =
  /@mantine[\\/]core[\\/].*[\\/](Anchor|get-contrast-color)\.mjs$|src[\\/]shell[\\/]session[\\/]session-mark\.ts$|src[\\/]ui[\\/]style[\\/]theme-contrast\.ts$/
const PACKAGES = /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/](?!react-virtual|virtual-core)/
const FIRST = [ROOTS, SHARED, PACKAGES]
const isFirst = (id: string): boolean => FIRST.some((one) => one.test(id))
/** Of the file with all of these, in kilobytes of text: a third of it is sent. */
const MOST_FIRST_KB = 700

/** Relative addresses, so that one build works below any base path; the server says in `<base>` where that is. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  base: './',
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
          const preloads = early.imports.map((file) => ({ rel: 'modulepreload', crossorigin: true, href: `./${file}` }))
          const attrs = { type: 'module', async: true, crossorigin: true, src: `./${early.fileName}` }
          return [
            ...preloads.map((link) => ({ tag: 'link', attrs: link, injectTo: 'head-prepend' as const })),
            { tag: 'script', attrs, injectTo: 'head-prepend' as const },
          ]
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
    // what the server does for the built page: without it a page below a path takes that for the base
    {
      name: 'base',
      apply: 'serve',
      transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
    },
  ],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    chunkSizeWarningLimit: MOST_FIRST_KB,
    // whose code is in it, with their licences: for THIRD-PARTY-NOTICES.md and the bill of materials
    license: { fileName: 'licences.json' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // early-reads.ts and what it needs, and nothing else: it must not wait for more
            {
              name: EARLY,
              test: /src[\\/](early-reads|api[\\/]http|api[\\/]first[\\/][a-z-]+|flags[\\/]first-list)\.ts$/,
              priority: 4,
            },
            // all that the frame and the list need in one file: each further one is asked for, read and compiled by itself,
            // for which the first rows would wait
            { name: 'first', test: isFirst, priority: 1 },
          ],
        },
      },
    },
  },
})

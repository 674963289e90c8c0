import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const EARLY = 'early'
/** The typeface of nearly all texts: a first view that begins without it would move once it is there. */
const TYPEFACE = /inter-latin-wght-normal[^/]*\.woff2$/

/** What the page begins with, and with it all that it imports: the frame and the list. */
const FIRST = /src[\\/]main\.tsx$/
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
              priority: 2,
            },
            // all that the frame and the list need in one file: each further one is asked for, read and compiled by itself,
            // for which the first rows would wait
            { name: 'first', test: FIRST, priority: 1 },
            // what several pages share in one file as well, for it is asked for over a few connections
            { name: 'shared', minShareCount: 4 },
          ],
        },
      },
    },
  },
})

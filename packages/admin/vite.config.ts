import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Relative addresses, so that one build works below any base path; the server says in `<base>` where that is. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  base: './',
  plugins: [
    react(),
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
    // whose code is in it, with their licences: for THIRD-PARTY-NOTICES.md and the bill of materials
    license: { fileName: 'licences.json' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            {
              name: 'tanstack',
              test: /node_modules[\\/]@tanstack[\\/](?!react-virtual|virtual-core)/,
              priority: 2,
            },
            // the frame and the list with all they need in one file, where sharing would take forty
            { name: 'first', test: /src[\\/](shell[\\/]shell|flags[\\/]flags-page)\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})

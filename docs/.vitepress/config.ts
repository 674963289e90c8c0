import { type DefaultTheme, defineConfig } from 'vitepress'
import { keepCodeAsIs, labelCells, linkOutOfDocs } from './markdown.ts'
import { sidebar } from './sidebar.ts'

const nav: DefaultTheme.NavItem[] = [
  { text: 'Get started', link: '/getting-started' },
  { text: 'SDKs', link: '/sdks/' },
  { text: 'Concepts', link: '/concepts' },
  { text: 'Operating', link: '/operating' },
  { text: 'API', link: '/api/' },
]

/** The documentation site: the Markdown of docs/, readable without it as well. Nothing of it is fetched from elsewhere. */
export default defineConfig({
  title: 'Burgee',
  description: 'Feature flags that every Unleash SDK can use',
  lang: 'en',
  // a site may live below a path, as it does on pages of a repository
  base: process.env.DOCS_BASE ?? '/',
  outDir: '../.cache/site',
  cacheDir: '../.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.DOCS_BASE ?? '/'}burgee.svg` }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  markdown: { config: (markdown) => void markdown.use(linkOutOfDocs).use(keepCodeAsIs).use(labelCells) },
  themeConfig: {
    logo: '/burgee.svg',
    nav,
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      // decisions are for developers of Burgee: the sitemap lists them, the search does not
      options: {
        _render: async (text, env, markdown) => (env.relativePath.startsWith('adr/') ? '' : markdown.render(text, env)),
      },
    },
    footer: { message: 'Apache-2.0. Not affiliated with Unleash; names of other products belong to their owners.' },
  },
})

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const DOCS = dirname(dirname(fileURLToPath(import.meta.url)))

/** What stands under which heading, by file names without `.md`; the text of a link is the page's own title. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Get started': [
    'getting-started',
    'installing',
    'concepts',
    'evaluation-profiles',
    'projects',
    'change-requests',
    'impact',
  ],
  SDKs: ['sdks/index', 'sdks/servers', 'sdks/web', 'sdks/mobile', 'openfeature', 'instant-updates'],
  'Coming from': [
    'coming-from-unleash',
    'verify',
    'migrating-from-unleash-proxy',
    'migrating-from-unleash-edge',
    'coming-from-launchdarkly',
    'coming-from-flagd',
    'coming-from-flagsmith',
    'compatibility',
    'compatibility-edge',
    'compatibility-server',
  ],
  Operating: [
    'operating',
    'first-start',
    'restarts',
    'outages',
    'backup',
    'retention',
    'postgresql',
    'people',
    'terraform',
    'roles',
    'single-sign-on',
    'integrations',
    'log',
    'series',
    'sizing',
    'limits',
    'security',
    'asvs',
  ],
  Options: ['server-options', 'proxy-options', 'edge-options'],
  Reference: ['api/index', 'examples', 'benchmarks'],
  'How it is built': ['architecture', 'adr/README', 'releasing'],
}
const ELSEWHERE = ['index']

/** The groups of the sidebar. A page that no group names stands under "More", so that none is ever unreachable. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const named = Object.values(GROUPS).flat()
  const more = globSync(['*.md', 'sdks/*.md'], { cwd: DOCS })
    .map((path) => path.replace(/\.md$/, ''))
    .filter((page) => !named.includes(page) && !ELSEWHERE.includes(page))
    .sort()
  const groups = more.length === 0 ? GROUPS : { ...GROUPS, More: more }
  return Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.filter((page) => existsSync(join(DOCS, `${page}.md`))).map(item),
  }))
}

function item(page: string): DefaultTheme.SidebarItem {
  const [, title = basename(page)] = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8')) ?? []
  const text = title.replaceAll('`', '')
  return { text, link: `/${page.replace(/(^|\/)index$/, '$1')}` }
}

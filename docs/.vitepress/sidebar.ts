import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const DOCS = dirname(dirname(fileURLToPath(import.meta.url)))

/** Pages by heading, as file names without `.md`. The text of a link is the title of its page. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['getting-started', 'concepts', 'installing', 'kubernetes', 'first-start', 'examples'],
  SDKs: [
    'sdks/index',
    'sdks/servers',
    'sdks/web',
    'sdks/mobile',
    'openfeature',
    'instant-updates',
    'sdk-versions',
    'compatibility-sdks',
    'evaluation-profiles',
  ],
  'Managing flags': [
    'projects',
    'change-requests',
    'promoting',
    'impact',
    'removing-flags',
    'test-runs',
    'testing',
    'integrations',
    'event-types',
    'agents',
    'terraform',
  ],
  'Users and access': ['people', 'roles', 'single-sign-on', 'scim', 'security', 'asvs'],
  Operating: [
    'operating',
    'runbook',
    'outages',
    'health-checks',
    'running-the-proxy',
    'running-the-edge',
    'restarts',
    'backup',
    'postgresql',
    'retention',
    'sizing',
    'limits',
    'series',
    'log',
  ],
  Migrating: [
    'coming-from-unleash',
    'verify',
    'migrating-from-unleash-proxy',
    'migrating-from-unleash-edge',
    'coming-from-launchdarkly',
    'coming-from-flagd',
    'coming-from-flagsmith',
  ],
  'Compatibility with Unleash': [
    'compatibility-server',
    'compatibility-server/differences',
    'compatibility-server/sdk-api',
    'compatibility-server/flags',
    'compatibility-server/projects',
    'compatibility-server/access',
    'compatibility-server/system',
    'compatibility-server/bodies',
    'compatibility-server/errors',
    'compatibility',
    'compatibility-edge',
  ],
  Reference: ['server-options', 'proxy-options', 'edge-options', 'api/index', 'benchmarks'],
  Contributing: ['architecture', 'glossary', 'design', 'adr/README', 'mutation-testing', 'releasing'],
}
/** Groups that are closed until a page of them is open. */
const COLLAPSED: ReadonlySet<string> = new Set(['Compatibility with Unleash', 'Contributing'])
const UNLISTED = ['index']

/** Returns the groups of the sidebar. "More" lists pages that no group names, so that every page can be reached. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const listed = Object.values(GROUPS).flat()
  const more = globSync(['*.md', '{sdks,compatibility-server}/*.md'], { cwd: DOCS })
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .filter((page) => !listed.includes(page) && !UNLISTED.includes(page))
    .sort()
  const groups = more.length === 0 ? GROUPS : { ...GROUPS, More: more }
  return Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.filter((page) => existsSync(join(DOCS, `${page}.md`))).map(item),
    ...(COLLAPSED.has(text) ? { collapsed: true } : {}),
  }))
}

function item(page: string): DefaultTheme.SidebarItem {
  const [, title = basename(page)] = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8')) ?? []
  const text = title.replaceAll('`', '')
  return { text, link: `/${page.replace(/(^|\/)index$/, '$1')}` }
}

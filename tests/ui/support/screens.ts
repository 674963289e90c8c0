import type { Page } from 'playwright-core'
import { ADMINISTRATION_SCREENS, furnishAdministration } from './administration-screens.ts'
import { sessionCall } from './session-call.ts'
import { ADMIN, FLAGS, type UiServer } from './ui-server.ts'
import { visitAfresh } from './visit.ts'

/**
 * Screen with its URL, and a text that is displayed once the screen is complete. `open` is the button that opens the
 * screen, or a menu and its item.
 */
export interface Screen {
  readonly name: string
  readonly path: string
  readonly shows: string | RegExp
  readonly open?: string | readonly [menu: string, item: string]
}

/** All screens. */
export const SCREENS: readonly Screen[] = [
  { name: 'home', path: '/', shows: 'Ready to clean up' },
  { name: 'flags', path: '/projects/default', shows: 'search.suggestions' },
  { name: 'flags-none-found', path: '/projects/default?q=nothing-like-this', shows: 'No matching flags' },
  { name: 'flags-overdue', path: '/projects/default?state=potentially-stale', shows: 'old-landing-page' },
  { name: 'create-flag', path: '/projects/default?create=true', shows: 'Impression data' },
  { name: 'flag', path: '/projects/default/features/new-checkout', shows: 'Everybody who works here' },
  {
    name: 'flag-people',
    path: '/projects/default/features/new-checkout',
    shows: 'Following this flag',
    open: 'People: ',
  },
  { name: 'strategy', path: '/projects/default/features/new-checkout', shows: 'Strategy in development', open: 'Edit' },
  {
    name: 'new-strategy',
    path: '/projects/default/features/new-checkout?env=production&strategy=new',
    shows: 'New strategy in production',
  },
  {
    name: 'strategy-impact',
    path: '/projects/default/features/new-checkout?env=development&strategy=new',
    shows: /evaluations would change/,
  },
  {
    name: 'variants',
    path: '/projects/default/features/new-checkout?env=production&variants=true',
    shows: 'Variants: production',
  },
  {
    name: 'comments',
    path: '/projects/default/features/new-checkout?tab=comments',
    shows: 'until the incident review',
  },
  { name: 'history', path: '/projects/default/features/new-checkout?tab=history', shows: /created flag/ },
  {
    name: 'flag-then',
    path: '/projects/default/features/new-checkout?tab=history&at=2100-01-01T00:00:00Z',
    shows: 'No changes',
  },
  { name: 'usage', path: '/projects/default/features/new-checkout?tab=usage', shows: 'Peak: 100 per hour' },
  { name: 'code', path: '/projects/default/features/new-checkout?tab=code', shows: 'startUnleash' },
  { name: 'connect', path: '/connect?sdk=react', shows: 'FlagProvider' },
  { name: 'flag-plan', path: '/projects/default/features/search.suggestions', shows: 'errors > 10' },
  {
    name: 'start-plan',
    path: '/projects/default/features/new-checkout?env=production&plan=true',
    shows: 'What each milestone changes',
  },
  { name: 'flag-overdue', path: '/projects/default/features/old-landing-page', shows: 'are expected to last 40 days' },
  {
    name: 'move-flag',
    path: '/projects/default/features/new-checkout',
    shows: 'Its URL changes',
    open: ['More', 'Move to another project'],
  },
  {
    name: 'copy-strategies',
    path: '/projects/default/features/new-checkout',
    shows: 'Off in production, and stays off',
    open: 'Copy strategies from … to production',
  },
  { name: 'compare', path: '/projects/default/compare', shows: 'Select all that differ' },
  { name: 'compare-all', path: '/projects/default/compare?equal=true', shows: 'The same' },
  { name: 'flag-missing', path: '/projects/default/features/none', shows: 'Flag “none” not found' },
  { name: 'segments', path: '/segments', shows: 'People who work here' },
  { name: 'segment', path: '/segments?edit=new', shows: 'Add constraint' },
  { name: 'segment-used', path: '/segments?uses=%221%22', shows: 'Usages of staff' },
  { name: 'segment-edit', path: '/segments?edit=%221%22', shows: 'A change takes effect immediately in 1 flag' },
  { name: 'context-fields', path: '/context-fields', shows: 'Where they pay' },
  { name: 'context-field', path: '/context-fields?edit=country', shows: 'Add values' },
  { name: 'context-field-used', path: '/context-fields?uses=country', shows: 'Usages of country' },
  { name: 'tag-types', path: '/tag-types', shows: 'Who looks after it' },
  { name: 'tag-type', path: '/tag-types?edit=new', shows: 'One or two characters' },
  { name: 'strategy-types', path: '/strategy-types', shows: 'byTenant' },
  { name: 'strategy-type', path: '/strategy-types?edit=byTenant', shows: 'Add parameter' },
  { name: 'strategy-type-used', path: '/strategy-types?uses=default', shows: 'Usages of' },
  { name: 'tokens', path: '/tokens', shows: 'web shop' },
  { name: 'create-token', path: '/tokens', shows: 'Receives all rules; keep it secret', open: 'Create token' },
  { name: 'events', path: '/events', shows: /added a strategy/ },
  { name: 'events-filtered', path: '/events?env=development', shows: 'More filters (1)' },
  { name: 'playground-empty', path: '/playground', shows: 'No results yet' },
  { name: 'playground', path: '/playground?envs=development,production&userId=42,7', shows: 'search.suggestions' },
  {
    name: 'playground-why',
    path: '/playground?envs=development,production&userId=42&props=country%3DDE&flag=new-checkout',
    shows: /Off: /,
  },
  { name: 'palette', path: '/projects/default', shows: 'Light theme', open: 'Find anything' },
  { name: 'notifications', path: '/projects/default', shows: 'Flag turned on', open: 'Notifications' },
  ...ADMINISTRATION_SCREENS,
  { name: 'help', path: '/help', shows: 'First steps' },
  { name: 'not-found', path: '/nowhere/at/all', shows: 'Page not found' },
]

/** Opens a screen and waits until it is complete. */
export async function show(page: Page, url: string, { path, shows, open }: Screen): Promise<void> {
  await visitAfresh(page, `${url}${path}`)
  const [name, item] = typeof open === 'string' ? [open] : (open ?? [])
  const button = name === undefined ? undefined : page.getByRole('button', { name, exact: name === 'Edit' })
  await button?.first().click()
  if (item !== undefined) await page.getByRole('menuitem', { name: item }).click()
  await page.getByText(shows).first().waitFor()
}

const ROLLOUT = {
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'new-checkout' },
}

const COMMENTS = [
  'Support has been told: half of the shop sees one page instead of four from Monday on.',
  'Rollout paused until the incident review, see https://example.com/incidents/42.\n\nWhat is left to do:\n- wait for the review\n- then 50 %, a day later everybody',
]

/** Creates at least one object of every kind on a server. */
export async function furnish(ui: UiServer): Promise<void> {
  await furnishAdministration(ui)
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/segments', {
    name: 'staff',
    description: 'People who work here',
    constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'] }],
  })
  await furnishDomain(ui)
  const flags = [
    { name: 'new-checkout', type: 'experiment', description: 'The checkout in one page instead of four.' },
    { name: 'search.suggestions', type: 'release', description: 'Suggestions while typing' },
    { name: 'old-landing-page', type: 'release', description: 'The page of two years ago' },
    { name: 'mail-sending', type: 'kill-switch', description: '' },
  ]
  for (const flag of flags) await ui.call('POST', FLAGS, flag)
  await like(ui, ['new-checkout', 'mail-sending'])
  const development = `${FLAGS}/new-checkout/environments/development`
  await ui.call('POST', `${development}/strategies`, {
    ...ROLLOUT,
    constraints: [
      { contextName: 'country', operator: 'IN', values: ['DE', 'AT', 'CH'] },
      { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '2.1.0' },
    ],
    variants: ['blue', 'green'].map((name) => ({ name, weight: 500, weightType: 'variable', stickiness: 'userId' })),
  })
  await ui.call('POST', `${development}/strategies`, {
    name: 'default',
    title: 'Everybody who works here',
    segments: [id],
  })
  await ui.call('POST', `${development}/on`)
  await ui.call('POST', `${FLAGS}/mail-sending/environments/production/on`)
  await ui.call('PATCH', `${FLAGS}/search.suggestions`, [{ op: 'replace', path: '/stale', value: true }])
  for (const text of COMMENTS) await ui.call('POST', `${FLAGS}/new-checkout/comments`, { text })
  await ui.call('POST', '/api/admin/features/new-checkout/tags', { type: 'simple', value: 'checkout' })
  await furnishPlan(ui)
  await reportOnce(ui)
  await ui.outlive('old-landing-page', 700)
  await furnishTraffic(ui)
}

/** Marks the flags as favorites of the administrator, so that later events of these flags become notifications. */
async function like(ui: UiServer, flags: readonly string[]): Promise<void> {
  const call = await sessionCall(ui, ADMIN)
  for (const flag of flags) await call('POST', `${FLAGS}/${flag}/favorites`)
  await call('GET', '/api/admin/user/notifications')
}

/** Creates sampled front-end traffic in development. A restart of the server deletes it. */
async function furnishTraffic(ui: UiServer): Promise<void> {
  await ui.call('PUT', '/api/admin/environments/development/traffic-sampling', { enabled: true })
  const token = { tokenName: 'front end', type: 'frontend', environment: 'development', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const ask = async (user: number) => {
    const query = `userId=${user}&country=DE&appVersion=2.2.0`
    await fetch(`${ui.url}/api/frontend?${query}`, { headers: { authorization: secret } })
  }
  await Promise.all(Array.from({ length: 60 }, (_none, user) => ask(user)))
}

/** Creates a release template, and a plan with a safeguard. */
async function furnishPlan(ui: UiServer): Promise<void> {
  const milestones = [10, 50, 100].map((percent) => ({
    name: `${percent}%`,
    transitionCondition: { intervalMinutes: 1440 },
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout: String(percent) } }],
  }))
  const template = { name: 'Careful', description: 'Three careful steps', milestones }
  const { id: templateId } = await ui.call<{ id: string }>('POST', '/api/admin/release-plan-templates', template)
  const development = `${FLAGS}/search.suggestions/environments/development`
  const { id } = await ui.call<{ id: string }>('POST', `${development}/release-plans`, { templateId })
  await ui.call('PUT', `${development}/release-plans/${id}/safeguards`, {
    impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' },
    triggerCondition: { operator: '>', threshold: 10 },
    action: { type: 'pauseReleasePlanProgressions' },
  })
}

/** Creates context fields, tag types and strategy types. */
async function furnishDomain(ui: UiServer): Promise<void> {
  const countries = [{ value: 'DE', description: 'Germany' }, { value: 'AT', description: 'Austria' }, { value: 'CH' }]
  await ui.call('POST', '/api/admin/context', {
    name: 'country',
    description: 'Where they pay',
    stickiness: true,
    legalValues: countries,
  })
  await ui.call('POST', '/api/admin/tag-types', { name: 'team', description: 'Who looks after it', icon: '◆' })
  await ui.call('POST', '/api/admin/strategies', {
    name: 'byTenant',
    title: 'By tenant',
    description: 'Tenants by their contract',
    parameters: [
      { name: 'tenants', type: 'list', description: 'Numbers of contracts', required: true },
      { name: 'share', type: 'percentage' },
    ],
  })
}

const ERRORS = {
  name: 'errors',
  help: 'Failed requests',
  type: 'counter',
  samples: [{ labels: { appName: 'shop', environment: 'development' }, value: 3 }],
}

/** Creates a token, and an application that reports usage with it. */
async function reportOnce(ui: UiServer): Promise<void> {
  const token = { tokenName: 'web shop', type: 'client', environment: 'development', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const toggles = {
    'new-checkout': { yes: 60, no: 40, variants: { blue: 31, green: 29 } },
    'old-chekcout': { yes: 0, no: 9 },
  }
  const bucket = { start: new Date(Date.now() - 60_000).toISOString(), stop: new Date().toISOString(), toggles }
  const reply = await fetch(`${ui.url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'shop', instanceId: 'one', bucket, impactMetrics: [ERRORS] }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

import { FLAGS, type UiServer } from './ui-server.ts'

/** Realistic flags of a web shop: name, type, description, tags, and where they are on. */
const SHOP: readonly (readonly [string, string, string, readonly string[], readonly Place[]])[] = [
  ['checkout.one-page', 'experiment', 'The checkout in one page instead of four', ['team:payments'], ['dev', 'live']],
  ['checkout.express-pay', 'release', 'Wallets of phones and browsers', ['team:payments'], ['dev', 'live']],
  ['checkout.gift-cards', 'release', 'Pay with gift cards, also in part', ['team:payments'], ['dev']],
  ['checkout.invoice', 'permission', 'Buy on account, for companies', ['team:payments', 'tier:gold'], ['dev', 'live']],
  ['checkout.vat-preview', 'release', 'VAT of the destination before the address', ['team:payments'], ['dev']],
  ['basket.save-for-later', 'release', '', ['team:basket'], ['dev', 'live']],
  ['basket.shared', 'experiment', 'One basket for a whole household', ['team:basket'], ['dev']],
  ['basket.stock-warning', 'operational', 'Says when only few are left', ['team:basket'], ['dev', 'live']],
  ['catalog.3d-view', 'experiment', 'Turn a product around', ['team:catalog'], ['dev']],
  ['catalog.compare', 'release', 'Up to four products side by side', ['team:catalog'], ['dev', 'live']],
  ['catalog.image-webp', 'operational', 'Smaller pictures where browsers can', ['team:catalog'], ['dev', 'live']],
  ['catalog.sold-out-last', 'release', '', ['team:catalog'], ['dev', 'live']],
  ['mail.order-summary', 'kill-switch', 'Stop it when the mail provider is slow', ['team:mail'], ['dev', 'live']],
  ['mail.weekly-offers', 'kill-switch', '', ['team:mail'], ['dev']],
  ['search.semantic', 'experiment', 'Finds by meaning, not only by words', ['team:search'], ['dev', 'live']],
  ['search.suggestions', 'release', 'Suggestions while typing', ['team:search'], ['dev', 'live']],
  ['search.synonyms', 'release', 'Sofa is couch', ['team:search'], ['dev', 'live']],
  ['search.typo-tolerance', 'release', '', ['team:search'], ['dev', 'live']],
  ['profile.passkeys', 'release', 'Log in without a password', ['team:accounts'], ['dev']],
  ['profile.export', 'permission', 'Download of all data of a customer', ['team:accounts'], ['dev', 'live']],
  ['profile.newsletter', 'release', '', ['team:accounts'], ['dev', 'live']],
  ['shipping.same-day', 'experiment', 'Before noon, in three cities', ['team:shipping'], ['dev', 'live']],
  ['shipping.pick-up', 'release', 'Lockers and shops', ['team:shipping'], ['dev']],
  ['shipping.tracking-map', 'release', '', ['team:shipping'], ['dev', 'live']],
  ['api.rate-limit', 'operational', 'Tighter limits for partners', ['team:platform'], ['dev', 'live']],
  ['api.v3', 'release', '', ['team:platform'], ['dev']],
]
type Place = 'dev' | 'live'
const ENVIRONMENTS: Readonly<Record<Place, string>> = { dev: 'development', live: 'production' }
const STALE = ['search.synonyms', 'catalog.image-webp']

/** Returns a strategy for a percentage of the users, by id. */
const rollout = (percent: number, feature: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent), stickiness: 'userId', groupId: feature },
  ...more,
})

/** Fills a server with the data of a web shop, for screenshots. */
export async function furnishShop(ui: UiServer): Promise<void> {
  await ui.call('POST', '/api/admin/projects', { id: 'warehouse', name: 'Warehouse' })
  for (const [name, description] of [
    ['team', 'Who looks after it'],
    ['tier', 'Which customers it is for'],
  ])
    await ui.call('POST', '/api/admin/tag-types', { name, description })
  await ui.call('POST', '/api/admin/context', { name: 'country', description: 'Where they pay', stickiness: false })
  const { id: staff } = await ui.call<{ id: number }>('POST', '/api/admin/segments', {
    name: 'staff',
    description: 'People who work here',
    constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'] }],
  })
  for (const [name, type, description, tags, places] of SHOP) {
    await ui.call('POST', FLAGS, { name, type, description })
    for (const tag of tags) {
      const [type, value] = tag.split(':')
      await ui.call('POST', `/api/admin/features/${name}/tags`, { type, value })
    }
    if (name === 'checkout.one-page') await furnishCheckout(ui, staff)
    for (const place of places) await ui.call('POST', `${FLAGS}/${name}/environments/${ENVIRONMENTS[place]}/on`)
  }
  for (const name of STALE) {
    await ui.call('PATCH', `${FLAGS}/${name}`, [{ op: 'replace', path: '/stale', value: true }])
  }
  await reportUse(ui)
}

/** Creates the strategies of the flag that the screenshots show in detail. */
async function furnishCheckout(ui: UiServer, staff: number): Promise<void> {
  const name = 'checkout.one-page'
  const add = (environment: string, body: object) =>
    ui.call('POST', `${FLAGS}/${name}/environments/${environment}/strategies`, body)
  const variants = [
    { name: 'classic', weight: 500, weightType: 'variable', stickiness: 'userId' },
    { name: 'compact', weight: 300, weightType: 'fix', stickiness: 'userId' },
    { name: 'guided', weight: 200, weightType: 'variable', stickiness: 'userId' },
  ]
  await add('development', { name: 'default', title: 'Everybody who works here', segments: [staff] })
  await add('development', rollout(50, name, { variants }))
  await add('production', { name: 'default', title: 'Colleagues first', segments: [staff] })
  const constraints = [
    { contextName: 'country', operator: 'IN', values: ['DE', 'AT', 'CH'] },
    { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '4.2.0' },
  ]
  await add('production', rollout(25, name, { title: 'Rollout in three countries', constraints, variants }))
}

/** Reports the usage of an application within the last minute. */
async function reportUse(ui: UiServer): Promise<void> {
  const token = { tokenName: 'web shop', type: 'client', environment: 'production', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const counts = (index: number) => ({ yes: 900 - index * 31, no: 100 + index * 31, variants: {} })
  const toggles = Object.fromEntries(SHOP.map(([name], index) => [name, counts(index)]))
  const bucket = { start: new Date(Date.now() - 60_000).toISOString(), stop: new Date().toISOString(), toggles }
  const reply = await fetch(`${ui.url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'web-shop', instanceId: 'one', bucket }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

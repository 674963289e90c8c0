import type { Screen } from './screens.ts'
import { ADMIN, FLAGS, type UiServer } from './ui-server.ts'

/** Screens for administrators, in the form that screens.ts uses. */
export const ADMINISTRATION_SCREENS: readonly Screen[] = [
  { name: 'projects', path: '/projects', shows: 'Basket, payment and everything between' },
  { name: 'projects-archived', path: '/projects?show=archived', shows: 'Restore' },
  { name: 'projects-none-found', path: '/projects?q=nothing', shows: 'No matching projects' },
  { name: 'create-project', path: '/projects?edit=new', shows: 'Part of URLs' },
  { name: 'project-settings', path: '/projects/checkout/settings', shows: 'Naming pattern for flags' },
  { name: 'project-danger', path: '/projects/checkout/settings?tab=danger', shows: 'Archive or delete' },
  { name: 'project-defaults', path: '/projects/checkout/settings?tab=defaults', shows: 'built-in default' },
  { name: 'project-environments', path: '/projects/checkout/settings?tab=environments', shows: 'In use' },
  { name: 'project-transfer', path: '/projects/default/settings?tab=transfer', shows: 'Or paste its contents' },
  { name: 'project-members', path: '/projects/checkout/settings?tab=members', shows: 'Maria Lind' },
  {
    name: 'add-members',
    path: '/projects/checkout/settings?tab=members&edit=new',
    shows: 'Can change flags of the project',
  },
  { name: 'stale', path: '/stale?project=*', shows: 'are expected to last 40 days' },
  { name: 'insights', path: '/projects/default/insights', shows: 'How to improve it' },
  { name: 'change-requests', path: '/projects/checkout/change-requests?show=all', shows: 'Wallets for everybody' },
  { name: 'change-request', path: '/projects/checkout/change-requests/1', shows: 'Turn on' },
  { name: 'environments', path: '/environments', shows: 'staging' },
  { name: 'environment', path: '/environments?edit=development', shows: /Contexts in memory of this server node/ },
  { name: 'create-environment', path: '/environments?edit=new', shows: 'Part of SDK tokens and URLs' },
  { name: 'archive', path: '/archive', shows: 'old-banner' },
  { name: 'archive-none-found', path: '/archive?q=nothing', shows: 'No matching archived flags' },
  { name: 'users', path: '/users', shows: 'must set a new password' },
  { name: 'invite-links', path: '/invite-links', shows: 'Payments team' },
  { name: 'create-invite-link', path: '/invite-links?edit=new', shows: 'Only shown here' },
  { name: 'groups', path: '/groups', shows: 'Payments' },
  { name: 'create-group', path: '/groups?edit=new', shows: 'Single sign-on groups' },
  { name: 'service-accounts', path: '/service-accounts', shows: 'pipeline' },
  { name: 'roles', path: '/roles', shows: 'built in' },
  { name: 'built-in-role', path: '/roles?edit=2', shows: 'Built-in roles cannot be changed' },
  { name: 'create-role', path: '/roles?edit=new', shows: 'Change without a change request' },
  { name: 'single-sign-on', path: '/single-sign-on', shows: 'Role of new accounts' },
  { name: 'agents', path: '/agents', shows: 'What agents may do' },
  { name: 'integrations', path: '/integrations', shows: 'Release bot' },
  { name: 'create-integration', path: '/integrations?edit=new', shows: 'Message template' },
  { name: 'integration', path: '/integrations?edit=1', shows: 'Delete stored value' },
  { name: 'deliveries', path: '/integrations?log=1', shows: 'Test' },
  { name: 'release-templates', path: '/release-templates', shows: 'Three careful steps' },
  { name: 'release-template', path: '/release-templates?edit=new', shows: 'Add milestone' },
  { name: 'signal-endpoints', path: '/signal-endpoints', shows: 'prometheus' },
  { name: 'create-signal-endpoint', path: '/signal-endpoints?edit=new', shows: 'such as prometheus' },
  { name: 'metrics', path: '/metrics?env=development', shows: 'Failed requests' },
  { name: 'metrics-none', path: '/metrics?env=production', shows: 'No metrics in production yet' },
  { name: 'logins', path: '/logins', shows: '127.0.0.1' },
  { name: 'link-gone', path: '/new-user?token=used-up', shows: 'This link no longer works' },
  { name: 'invitation-gone', path: '/new-user?invite=none', shows: 'This invitation is no longer valid' },
  { name: 'create-user', path: '/users?edit=new', shows: 'Enter a username or an e-mail address' },
  { name: 'import', path: '/import', shows: 'Admin token of that server' },
  { name: 'instance', path: '/instance', shows: 'Contents' },
  { name: 'applications', path: '/applications', shows: 'web-shop' },
  { name: 'application', path: '/applications/web-shop', shows: 'Flags used' },
  { name: 'fleet', path: '/fleet', shows: 'Server nodes' },
  { name: 'profile', path: '/profile', shows: 'deployment script' },
  { name: 'create-personal-token', path: '/profile?token=new', shows: 'Purpose' },
]

/** Creates users, projects, an environment, archived flags, and a registered application. */
export async function furnishAdministration(ui: UiServer): Promise<void> {
  await ui.call('POST', '/api/admin/environments', { name: 'staging', type: 'preproduction' })
  const maria = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', {
    username: 'maria',
    name: 'Maria Lind',
    email: 'maria@example.com',
    rootRole: 2,
    password: 'quite a long secret',
    mustChangePassword: true,
  })
  await ui.call('POST', '/api/admin/user-admin', { email: 'tom@example.com', name: 'Tom', rootRole: 3 })
  const description = 'Basket, payment and everything between'
  const environments = ['development', 'production']
  await ui.call('POST', '/api/admin/projects', { id: 'checkout', name: 'Checkout', description, environments })
  await ui.call('POST', '/api/admin/projects/checkout/access', { roles: [4], users: [maria.id] })
  await ui.call('POST', '/api/admin/groups', {
    name: 'Payments',
    description: 'Checkout and wallets',
    users: [{ user: { id: maria.id } }],
  })
  await ui.call('POST', '/api/admin/service-account', { username: 'pipeline', name: 'Deployments', rootRole: 3 })
  await ui.call('POST', '/api/admin/projects', { id: 'legacy', name: 'Legacy', environments })
  await ui.call('POST', '/api/admin/projects/archive/legacy')
  for (const name of ['old-banner', 'winter-sale']) {
    await ui.call('POST', FLAGS, { name, description: 'Served its time' })
    await ui.call('DELETE', `${FLAGS}/${name}`)
  }
  await ui.call('POST', '/api/admin/signal-endpoints', { name: 'prometheus' })
  await integrate(ui)
  await invite(ui)
  await register(ui)
  await actAsAdministrator(ui)
}

/** Creates an integration with an unreachable receiver, and a disabled one. */
async function integrate(ui: UiServer): Promise<void> {
  const bot = {
    provider: 'webhook',
    enabled: true,
    description: 'Release bot',
    projects: ['default'],
    parameters: { url: 'https://bot.invalid/flags', signingSecret: 'a long random text' },
    events: ['feature-environment-enabled', 'feature-environment-disabled'],
    environments: ['production'],
  }
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/addons', bot)
  await ui.call('POST', `/api/admin/addons/${id}/test`)
  await ui.call('POST', '/api/admin/addons', {
    provider: 'slack',
    enabled: false,
    events: ['feature-created'],
    parameters: { url: 'https://hooks.example.com/services/x', defaultChannel: '#releases' },
  })
}

/** Creates an invite link and signs a user up with it. */
async function invite(ui: UiServer): Promise<void> {
  const expiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const link = { name: 'Payments team', expiresAt }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/invite-link/tokens', link)
  const joined = { email: 'nora@example.com', name: 'Nora Vik', password: 'four words of Nora' }
  const reply = await fetch(`${ui.url}/invite/${secret}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(joined),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

async function register(ui: UiServer): Promise<void> {
  const token = { tokenName: 'web shop of long ago', type: 'client', environment: 'production', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  for (const [instanceId, sdkVersion] of [
    ['web-1', 'unleash-client-node:6.12.1'],
    ['web-2', 'unleash-client-node:4.1.0'],
    ['edge-1', 'burgee-proxy:0.1.0'],
  ]) {
    const hello = { appName: 'web-shop', instanceId, sdkVersion, interval: 1000, strategies: ['default'] }
    const reply = await fetch(`${ui.url}/api/client/register`, {
      method: 'POST',
      headers: { authorization: secret, 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, started: new Date().toISOString() }),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }
}

/**
 * Performs actions for which a token is not enough: creates an API token for a program, and sends a change request to
 * review.
 */
async function actAsAdministrator(ui: UiServer): Promise<void> {
  let cookie = ''
  const send = async (method: string, path: string, body: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: ui.url, cookie }
    const reply = await fetch(`${ui.url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply
  }
  const login = await send('POST', '/auth/simple/login', ADMIN)
  cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await send('POST', '/api/admin/user/tokens', { description: 'deployment script', expiresAt })
  const checkout = '/api/admin/projects/checkout'
  await send('POST', `${checkout}/features`, { name: 'wallets' })
  const production = `${checkout}/environments/production/change-requests`
  await send('PUT', `${production}/config`, { changeRequestsEnabled: true, requiredApprovals: 2 })
  const strategy = { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'userId', groupId: 'wallets' } }
  await send('POST', production, [
    { feature: 'wallets', action: 'addStrategy', payload: strategy },
    { feature: 'wallets', action: 'updateEnabled', payload: { enabled: true } },
  ])
  await send('PUT', `${checkout}/change-requests/1/title`, { title: 'Wallets for everybody' })
  await send('PUT', `${checkout}/change-requests/1/state`, {
    state: 'In review',
    comment: 'Four weeks without a complaint',
  })
}

import type { TestServer } from '../scenario.ts'

/** File as the export returns it. */
export interface File {
  readonly path: string
  readonly content: string
}

/** Plan as the API returns it. */
export interface Plan {
  readonly plan: string
  readonly revision: number
  readonly changes: readonly {
    readonly kind: string
    readonly name: string
    readonly environment?: string
    readonly sentence: string
    readonly enables?: boolean
  }[]
  readonly destructive: readonly { readonly name: string }[]
  readonly needsChangeRequest: readonly string[]
  readonly missingPermissions: readonly string[]
  readonly kept: readonly { readonly name: string; readonly reason: string }[]
  readonly obstacles: readonly { readonly name: string; readonly reason: string }[]
}

/** Returns the paths of a project's files. */
export const configOf = (project: string) => `/api/admin/projects/${project}/config`

/** Exports a project. */
export async function exportFiles(server: TestServer, project = 'default'): Promise<File[]> {
  return (await server.admin(`GET ${configOf(project)}/export`)).files
}

/** Plans a project's files as the administrator. */
export async function planFiles(
  server: TestServer,
  files: readonly File[],
  more: object = {},
  project = 'default',
): Promise<Plan> {
  return server.admin(`POST ${configOf(project)}/plan`, { files, ...more })
}

/** Plans and applies a project's files as the administrator. */
export async function applyFiles(server: TestServer, files: readonly File[], more: object = {}, project = 'default') {
  const { plan } = await planFiles(server, files, more, project)
  return server.admin(`POST ${configOf(project)}/apply`, { files, plan, ...more })
}

/** Fills the default project with every kind of object that files describe. */
export async function fillProject(server: TestServer): Promise<void> {
  const P = '/api/admin/projects/default'
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold', 'pro'] }]
  await server.admin('POST /api/admin/context', { name: 'plan', stickiness: true, legalValues: [{ value: 'gold' }] })
  const shared = await server.admin('POST /api/admin/segments', { name: 'Paying: all', constraints })
  const own = await server.admin('POST /api/admin/segments', { name: 'own', project: 'default', constraints: [] })
  for (const name of ['parent', 'child', 'Child']) {
    await server.admin(`POST ${P}/features`, { name, type: 'experiment', description: `About ${name}: "x" # y` })
  }
  await server.admin(`POST ${P}/features/child/dependencies`, { feature: 'parent', enabled: false })
  await server.admin('POST /api/admin/features/parent/tags', { type: 'simple', value: 'a:b' })
  await server.admin(`PATCH ${P}/features/parent`, [{ op: 'replace', path: '/stale', value: true }])
  const production = `${P}/features/parent/environments/production`
  const variants = [
    { name: 'red', weight: 0, weightType: 'variable', payload: { type: 'json', value: '{"a": 1}' } },
    { name: 'blue', weight: 0, weightType: 'variable', stickiness: 'userId' },
  ]
  const parameters = { rollout: '25', stickiness: 'userId', groupId: 'g' }
  await server.admin(`POST ${production}/strategies`, {
    name: 'flexibleRollout',
    title: 'A quarter',
    parameters,
    constraints: [
      { contextName: 'appName', operator: 'STR_CONTAINS', values: ['x'], inverted: true, caseInsensitive: true },
    ],
    segments: [shared.id, own.id],
    variants,
  })
  await server.admin(`POST ${production}/strategies`, {
    name: 'userWithId',
    parameters: { userIds: 'a,b' },
    disabled: true,
  })
  await server.admin(`POST ${production}/on`)
  await server.admin(`PUT ${P}/features/child/environments/development/variants`, variants)
  const template = await server.admin('POST /api/admin/release-plan-templates', {
    name: 'Careful',
    milestones: [
      {
        name: 'few',
        transitionCondition: { intervalMinutes: 60 },
        strategies: [
          { strategyName: 'flexibleRollout', parameters: { ...parameters, rollout: '5' }, segments: [shared.id] },
        ],
      },
      { name: 'all', strategies: [{ strategyName: 'default' }] },
    ],
  })
  const child = `${P}/features/child/environments/production`
  const plan = await server.admin(`POST ${child}/release-plans`, { templateId: template.id })
  await server.admin(`POST ${child}/release-plans/${plan.id}/milestones/${plan.milestones[1].id}/start`)
  await server.admin(`POST ${child}/on`)
}

import type { TestServer } from '../scenario.ts'
import { ENVIRONMENTS, type Walk } from './administration-walk.ts'

/**
 * Creates three flags in two projects for a walk. In development, the flags are enabled for some users, and have a
 * disabled strategy that matches everyone.
 */
export async function beginWalk(server: TestServer, number: number): Promise<Walk> {
  const flags = ['a', 'b', 'c'].map((letter) => `walk${number}-${letter}`)
  const projects = [`walk${number}-here`, `walk${number}-there`] as const
  const { id } = await server.admin('POST /api/admin/segments', {
    name: `s-${flags[0]}`,
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['2', '4'] }],
  })
  for (const project of projects) {
    await server.admin('POST /api/admin/projects', { id: project, name: project, environments: [...ENVIRONMENTS] })
  }
  for (const name of flags) {
    const P = `/api/admin/projects/${projects[0]}/features`
    await server.admin(`POST ${P}`, { name })
    const everybody = { name: 'flexibleRollout', parameters: { rollout: '100' } }
    for (const more of [{ segments: [id] }, { disabled: true }]) {
      await server.admin(`POST ${P}/${name}/environments/development/strategies`, { ...everybody, ...more })
    }
    await server.admin(`POST ${P}/${name}/environments/development/on`)
  }
  const projectOf = new Map(flags.map((flag) => [flag, projects[0]]))
  return { server, flags, projects, segment: id, projectOf, parentOf: new Map() }
}

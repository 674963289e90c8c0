import { Reply } from '@burgee/kit/http/route'
import { Removal } from '@burgee/protocol/administration/removal'
import { READ } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { FEATURES, FeatureParams } from '../flags/feature-routes.ts'
import { writeBrief } from './brief.ts'
import { readRemoval } from './removal.ts'

const REMOVAL = `${FEATURES}/:featureName/removal`

/** Routes for the removal of flags from the code. The routes are not part of the wire protocol of Unleash. */
export const removalRoutes: Routes = [
  route({
    method: 'GET',
    url: REMOVAL,
    permission: null,
    tag: 'Features',
    summary: 'Assesses whether a flag can be removed from the code, and which path stays.',
    description:
      'The engine computes the path from the strategies of all production environments. Lists code references, if ' +
      'the code was scanned.',
    params: FeatureParams,
    replies: { 200: { description: 'Verdict with evidence, blockers and references', schema: Removal } },
    problems: READ,
    handle: ({ params: { projectId: project, featureName: feature } }, world) =>
      readRemoval(world, { project, feature }),
  }),
  route({
    method: 'GET',
    url: `${REMOVAL}/brief`,
    permission: null,
    tag: 'Features',
    summary: 'Returns instructions for removing a flag from the code, as Markdown.',
    params: FeatureParams,
    replies: { 200: { description: 'The instructions', contentType: 'text/markdown' } },
    problems: READ,
    handle: async ({ params: { projectId: project, featureName: feature } }, world) => {
      const removal = await readRemoval(world, { project, feature })
      const headers = { 'content-type': 'text/markdown; charset=utf-8' }
      return new Reply(200, writeBrief({ project, feature }, removal), headers)
    },
  }),
]

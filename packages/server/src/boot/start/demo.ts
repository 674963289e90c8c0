import type { CreateFeature } from '@burgee/protocol/admin-feature'
import type { SegmentInput } from '@burgee/protocol/targeting/segment'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { findFeature, listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import { createFeature } from '../../admin/flags/features.ts'
import { addStrategy } from '../../admin/flags/strategies.ts'
import { setEnabled } from '../../admin/flags/switch-flag.ts'
import { setVariants } from '../../admin/flags/variants.ts'
import { createSegment } from '../../admin/targeting/segments.ts'
import { type ChangeContext, execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'

const PROJECT = 'default'
const ENVIRONMENT = 'development'

const STAFF: SegmentInput = {
  name: 'staff',
  description: 'People who work here',
  constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'], inverted: false }],
}

interface DemoFlag {
  readonly flag: CreateFeature
  readonly strategy?: StrategyInput
  readonly variants?: readonly VariantInput[]
  readonly isForStaff?: boolean
  readonly isOn: boolean
}

const FLAGS: readonly DemoFlag[] = [
  {
    flag: { name: 'new-checkout', description: 'On for everyone, in two variants.', type: 'experiment' },
    variants: [
      { name: 'blue', weight: 500, stickiness: 'default', payload: { type: 'string', value: 'Buy now' } },
      {
        name: 'green',
        weight: 500,
        stickiness: 'default',
        payload: { type: 'json', value: '{"button":"#2e7d32","steps":2}' },
      },
    ],
    isOn: true,
  },
  {
    flag: { name: 'beta-banner', description: 'A gradual rollout: half of the users see it.' },
    strategy: { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'beta-banner' } },
    isOn: true,
  },
  {
    flag: { name: 'staff-tools', description: 'Only for e-mail addresses of example.com.', type: 'permission' },
    strategy: {
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'default', groupId: 'staff-tools' },
    },
    isForStaff: true,
    isOn: true,
  },
  { flag: { name: 'dark-mode', description: 'A dark theme. Off at first.', impressionData: true }, isOn: false },
]

/** Adds the demo flags to the project `default`, in one transaction; existing flags are not changed. */
export async function seedDemo(world: World): Promise<void> {
  await execute(
    world,
    SYSTEM,
    async (tx, _input: undefined, context) => {
      const events: NewEvent[] = []
      if (!(await listProjectEnvironmentNames(tx, PROJECT)).includes(ENVIRONMENT)) return { result: undefined, events }
      for (const demo of FLAGS) {
        if ((await findFeature(tx, demo.flag.name)) === undefined) events.push(...(await addFlag(tx, demo, context)))
      }
      return { result: undefined, events }
    },
    undefined,
  )
}

async function addFlag(tx: Tx, demo: DemoFlag, context: ChangeContext): Promise<NewEvent[]> {
  const ref = { project: PROJECT, feature: demo.flag.name, environment: ENVIRONMENT }
  const events: NewEvent[] = [...(await createFeature(tx, { project: PROJECT, body: demo.flag }, context)).events]
  if (demo.strategy !== undefined) {
    const segments: number[] = []
    if (demo.isForStaff === true) {
      const staff = await findOrCreateStaffSegment(tx, context)
      events.push(...staff.events)
      segments.push(staff.id)
    }
    events.push(...(await addStrategy(tx, { ...ref, body: { ...demo.strategy, segments } }, context)).events)
  }
  if (demo.variants !== undefined) {
    events.push(...(await setVariants(tx, { ...ref, variants: demo.variants }, context)).events)
  }
  if (demo.isOn) events.push(...(await setEnabled(tx, { ...ref, enabled: true }, context)).events)
  return events
}

async function findOrCreateStaffSegment(
  tx: Tx,
  context: ChangeContext,
): Promise<{ id: number; events: readonly NewEvent[] }> {
  const known = await tx.selectFrom('segments').select('id').where('name', '=', STAFF.name).executeTakeFirst()
  if (known !== undefined) return { id: known.id, events: [] }
  const { result, events } = await createSegment(tx, STAFF, context)
  return { id: result.id, events }
}

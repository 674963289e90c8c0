import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getFlagQuery } from '../../api/queries.ts'
import { useEnvironmentType } from '../../shell/environment/environment-chip.tsx'
import { isLive } from '../../shell/environment/production.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { FLAG_TEXTS } from '../texts.ts'
import { describeEffect } from './effect-text.ts'
import { listParentChanges, type Parent } from './parent-effect.ts'
import { DEPENDENCY_TEXTS } from './texts.ts'

interface Props {
  readonly flag: AdminFeature
  /** Current parent. */
  readonly before: DependencyInput | undefined
  /** Selected parent; undefined until a parent is selected. */
  readonly after: DependencyInput | undefined
}

/** Effects that a parent has in each environment in which the flag is on; red in production. */
export function ParentEffects({ flag, before, after }: Props) {
  const own = useCatalogue(DEPENDENCY_TEXTS)
  const { dependencies: parents } = useCatalogue(FLAG_TEXTS)
  const typeOf = useEnvironmentType()
  const [old, next] = [useParent(flag.project, before), useParent(flag.project, after)]
  if (next === undefined) return null
  const changes = listParentChanges(flag, old, next)
  if (changes.length === 0) return null
  const isRed = changes.some(({ environment }) => isLive({ type: typeOf(environment) }))
  return (
    <Alert color={isRed ? 'red' : 'yellow'} role="status" title={own.effects}>
      {changes.map((one) => (
        <div key={one.environment}>{describeEffect({ own, parents }, flag.name, one, next)}</div>
      ))}
    </Alert>
  )
}

function useParent(project: string, needs: DependencyInput | undefined): Parent | undefined {
  const name = needs?.feature ?? ''
  const { data } = useQuery({ ...getFlagQuery({ project, feature: name }), enabled: name !== '' })
  return needs === undefined || data === undefined ? undefined : { flag: data, needs }
}

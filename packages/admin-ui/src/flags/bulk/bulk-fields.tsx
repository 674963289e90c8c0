import { Group, NativeSelect, Radio } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'
import { TagFields } from '../tag-fields.tsx'
import type { BulkAction } from './bulk-action.ts'

interface Props {
  readonly action: BulkAction
  readonly put: (action: BulkAction) => void
  readonly environments: readonly string[]
}

/** Input fields that a bulk action needs. */
export function BulkFields({ action, put, environments }: Props) {
  const t = useTexts()
  switch (action.kind) {
    case 'tag':
      return (
        <>
          <BinaryChoice
            label={t.bulk.kinds.tag}
            is={action.add}
            yes={t.bulk.addTag}
            no={t.bulk.removeTag}
            put={(add) => put({ ...action, add })}
          />
          <Group align="flex-end" gap="xs">
            <TagFields tag={action.tag} put={(tag) => put({ ...action, tag })} />
          </Group>
        </>
      )
    case 'switch':
      return (
        <>
          <NativeSelect
            label={t.common.environment}
            data={[...environments]}
            value={action.environment}
            data-autofocus
            onChange={(event) => put({ ...action, environment: event.currentTarget.value })}
          />
          <BinaryChoice
            label={t.bulk.kinds.switch}
            is={action.on}
            yes={t.flags.turnOn}
            no={t.flags.turnOff}
            put={(on) => put({ ...action, on })}
          />
        </>
      )
    case 'stale':
      return (
        <BinaryChoice
          label={t.bulk.kinds.stale}
          is={action.stale}
          yes={t.bulk.markStale}
          no={t.bulk.markActive}
          put={(stale) => put({ ...action, stale })}
        />
      )
    case 'archive':
      return null
  }
}

interface BinaryChoiceProps {
  readonly label: string
  readonly is: boolean
  readonly yes: string
  readonly no: string
  readonly put: (is: boolean) => void
}

function BinaryChoice({ label, is, yes, no, put }: BinaryChoiceProps) {
  return (
    <Radio.Group aria-label={label} value={is ? 'yes' : 'no'} onChange={(value) => put(value === 'yes')}>
      <Group>
        <Radio value="yes" label={yes} />
        <Radio value="no" label={no} />
      </Group>
    </Radio.Group>
  )
}

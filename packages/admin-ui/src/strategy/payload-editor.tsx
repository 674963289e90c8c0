import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { Button, Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import entry from '../ui/form/list-entry.module.css'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import styles from './strategy.module.css'
import { STRATEGY_TEXTS } from './texts.ts'
import { findJsonErrorLine, isJson } from './variant-checks.ts'

const JsonEditor = lazyPart('JsonEditor', async () => (await import('./json-editor.tsx')).JsonEditor)
const NO_PAYLOAD = 'none'
const PAYLOADS = ['string', 'number', 'json', 'csv'] as const

interface Props {
  readonly variant: VariantInput
  readonly put: (next: VariantInput) => void
}

/** Editor for a variant's payload: none, a string, a number, JSON or a CSV list. */
export function PayloadEditor({ variant, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { payload, ...rest } = variant
  const choose = (type: string | null): void => {
    const known = PAYLOADS.find((one) => one === type)
    put(known === undefined ? rest : { ...rest, payload: { type: known, value: payload?.value ?? '' } })
  }
  return (
    <Group gap="xs" align="flex-start" mt="xs">
      <Select
        label={t.strategy.payloadType}
        data={[
          { value: NO_PAYLOAD, label: t.strategy.noPayload },
          ...PAYLOADS.map((value) => ({ value, label: t.strategy.payloadTypes[value] })),
        ]}
        value={payload?.type ?? NO_PAYLOAD}
        w={150}
        onChange={choose}
      />
      {payload !== undefined && (
        <PayloadValue name={variant.name} payload={payload} put={(next) => put({ ...rest, payload: next })} />
      )}
    </Group>
  )
}

type Payload = NonNullable<VariantInput['payload']>

interface ValueProps {
  readonly name: string
  readonly payload: Payload
  readonly put: (payload: Payload) => void
}

function PayloadValue({ name, payload, put }: ValueProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const set = (value: string): void => put({ ...payload, value })
  switch (payload.type) {
    case 'json':
      return <JsonValue name={name} value={payload.value} put={set} />
    case 'number':
      return (
        <TextInput
          label={t.strategy.payload}
          inputMode="decimal"
          value={payload.value}
          error={payload.value !== '' && !Number.isFinite(Number(payload.value))}
          className={entry.grow ?? ''}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
    default:
      return (
        <Textarea
          label={t.strategy.payload}
          value={payload.value}
          autosize
          minRows={1}
          maxRows={10}
          className={entry.grow ?? ''}
          classNames={{ input: styles.mono ?? '' }}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
  }
}

function JsonValue({ name, value, put }: { name: string; value: string; put: (value: string) => void }) {
  const t = useTexts(STRATEGY_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS).variants
  const hasTried = useSubmitAttempted()
  const isGood = isJson(value)
  return (
    <div className={styles.whole}>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500} aria-hidden="true">
          {t.strategy.payload}
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={!isGood}
          onClick={() => put(JSON.stringify(JSON.parse(value), null, 2))}
        >
          {words.format}
        </Button>
      </Group>
      <JsonEditor
        fallback={<div className={styles.json} />}
        label={words.editor(name)}
        value={value}
        isInvalid={!isGood}
        put={put}
      />
      {!isGood && (value !== '' || hasTried) && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t.strategy.badJson(findJsonErrorLine(value))}
        </Text>
      )}
    </div>
  )
}

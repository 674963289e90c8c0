import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { isNetwork } from '@burgee/protocol/targeting/operand'
import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/http.ts'
import { checkConstraint } from '../api/strategies.ts'
import { describeError } from '../text/error-message.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { ListInput } from '../ui/form/list-input.tsx'
import { toIsoTime, toLocalTime } from '../ui/form/local-time.ts'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { getOperandKind, isComplete, isList } from './operators.ts'
import { STRATEGY_TEXTS } from './texts.ts'

const RegexValue = lazyPart('RegexValue', async () => (await import('./regex-value.tsx')).RegexValue)
const DEBOUNCE_MS = 300
const BAD_REQUEST = 400

interface Props {
  /** Number that identifies the constraint in error messages. Numbers start at 1. */
  readonly number: number
  readonly constraint: ConstraintInput
  /** Legal values of the context field; empty if any value is allowed. */
  readonly legal: readonly string[]
  readonly put: (next: ConstraintInput) => void
}

/** Value of a constraint: a list, networks, a number, a time, a version or a pattern, depending on the operator. */
export function ConstraintValue({ number, constraint, legal, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { constraint: words } = useCatalogue(STRATEGY_TEXTS)
  const isMissing = useSubmitAttempted() && !isComplete(constraint)
  const { operator, value = '' } = constraint
  const missing = isList(getOperandKind(operator)) ? words.missingValues : words.missing
  const refusal = useRefusal(constraint) ?? (isMissing ? missing(number) : undefined)
  const isBad = value !== '' && !isComplete(constraint)
  const one = (next: string): void => put({ ...constraint, value: next })
  switch (getOperandKind(operator)) {
    case 'number':
      return (
        <TextInput
          label={t.strategy.number}
          inputMode="decimal"
          value={value}
          error={isBad ? words.noNumber : refusal}
          onChange={(event) => one(event.currentTarget.value.trim())}
        />
      )
    case 'date':
      return (
        <TextInput
          type="datetime-local"
          label={t.strategy.date}
          description={words.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
          value={toLocalTime(value)}
          error={refusal}
          onChange={(event) => one(toIsoTime(event.currentTarget.value))}
        />
      )
    case 'version':
      return (
        <TextInput
          label={t.strategy.version}
          placeholder="1.2.3"
          value={value}
          error={isBad ? t.strategy.versionHint : refusal}
          onChange={(event) => one(event.currentTarget.value.trim())}
        />
      )
    case 'regex':
      return (
        <RegexValue
          fallback={<TextInput label={t.strategy.regex} value={value} disabled />}
          constraint={constraint}
          refusal={refusal}
          put={one}
        />
      )
    default:
      return <ListValue constraint={constraint} legal={legal} refusal={refusal} put={put} />
  }
}

/**
 * Returns the server's error message for a constraint that looks complete; undefined if there is none or the response
 * has not arrived yet.
 */
function useRefusal(constraint: ConstraintInput): string | undefined {
  const t = useTexts()
  const [settled] = useDebouncedValue(constraint, DEBOUNCE_MS)
  const { error } = useQuery({
    queryKey: ['constraint', settled],
    queryFn: async () => {
      await checkConstraint(settled)
      return null
    },
    enabled: isComplete(settled),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return settled === constraint && error instanceof ApiError && error.status === BAD_REQUEST
    ? describeError(t, error)
    : undefined
}

interface ListProps extends Omit<Props, 'number'> {
  readonly refusal: string | undefined
}

function ListValue({ constraint, legal, refusal, put }: ListProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const { constraint: words } = useCatalogue(STRATEGY_TEXTS)
  const { operator, values = [] } = constraint
  const isNetworks = getOperandKind(operator) === 'networks'
  const wrong = isNetworks ? values.filter((value) => !isNetwork(value)) : []
  const unlisted = !isNetworks && legal.length > 0 ? values.filter((value) => !legal.includes(value)) : []
  return (
    <>
      <ListInput
        label={t.strategy.values}
        description={isNetworks ? words.networksHint : t.strategy.valuesHint}
        value={values}
        data={[...legal]}
        error={wrong.length > 0 ? words.badNetworks(wrong.join(', ')) : refusal}
        put={(next) => put({ ...constraint, values: next })}
      />
      {unlisted.length > 0 && operator.includes('IN') && (
        <Text size="sm" c="var(--warn)" mt={4}>
          {words.notInList}: {unlisted.join(', ')}
        </Text>
      )}
    </>
  )
}

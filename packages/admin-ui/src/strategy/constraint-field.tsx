import { Autocomplete, defaultOptionsFilter, type OptionsFilter } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FIELDS } from '../api/queries.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import entry from '../ui/form/list-entry.module.css'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import { useNewEntryFocus } from '../ui/form/use-new-entry-focus.ts'
import { STRATEGY_TEXTS } from './texts.ts'

interface Props {
  readonly value: string
  /** True for a new constraint, which is scrolled into view and focused. */
  readonly isNew: boolean
  readonly put: (contextName: string) => void
}

/**
 * Context field of a constraint. If the current value is a known field, all fields are suggested, because a user who
 * opens the list wants a different one. A field that the server does not know can be valid; a hint explains that
 * applications must send it.
 */
export function ConstraintField({ value, isNew, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { constraint: words } = useCatalogue(STRATEGY_TEXTS)
  const { data } = useQuery(FIELDS)
  const hasTried = useSubmitAttempted()
  const input = useNewEntryFocus(isNew)
  const names = (data ?? []).map(({ name }) => name)
  const filter: OptionsFilter = (given) =>
    names.includes(given.search.trim())
      ? [...given.options]
      : (defaultOptionsFilter(given) as ReturnType<OptionsFilter>)
  const isUnknown = data !== undefined && value !== '' && !names.includes(value)
  return (
    <Autocomplete
      ref={input}
      label={t.strategy.field}
      data={names}
      filter={filter}
      openOnFocus={false}
      value={value}
      error={hasTried && value === '' && words.noField}
      {...(isUnknown && { description: words.unknownField })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={put}
      className={entry.grow ?? ''}
    />
  )
}

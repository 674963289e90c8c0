import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { OPERATOR_NAMES, type Operator } from '@burgee/protocol/targeting/operator'
import { Button, Checkbox, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { FIELDS } from '../api/queries.ts'
import { ConstraintDifferences } from '../sdk-differences/value-differences.tsx'
import { useTexts } from '../text/texts.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { type Keyed, replaceEntry, withKey } from '../ui/form/keyed-list.ts'
import entry from '../ui/form/list-entry.module.css'
import { RemoveButton } from '../ui/form/remove-button.tsx'
import { ConstraintField } from './constraint-field.tsx'
import { ConstraintValue } from './constraint-value.tsx'
import { foldsCase, withOperator } from './operators.ts'
import { STRATEGY_TEXTS } from './texts.ts'

const NEW_CONSTRAINT: ConstraintInput = { contextName: 'userId', operator: 'IN', values: [] }

interface ListProps {
  readonly constraints: readonly Keyed<ConstraintInput>[]
  readonly put: (constraints: readonly Keyed<ConstraintInput>[]) => void
}

/** Editor of constraints, which must all be satisfied. */
export function ConstraintList({ constraints, put }: ListProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const [added, setAdded] = useState<string>()
  const add = (): void => {
    const one = withKey(NEW_CONSTRAINT)
    setAdded(one.key)
    put([...constraints, one])
  }
  return (
    <FieldGroup title={t.strategy.constraints} hint={t.strategy.constraintsHint}>
      {constraints.map(({ key, value }, index) => (
        <ConstraintEditor
          key={key}
          number={index + 1}
          constraint={value}
          isNew={key === added}
          put={(next) => put(replaceEntry(constraints, key, next))}
        />
      ))}
      <Button variant="default" size="xs" onClick={add}>
        {t.strategy.addConstraint}
      </Button>
    </FieldGroup>
  )
}

interface Props {
  readonly number: number
  readonly constraint: ConstraintInput
  readonly isNew: boolean
  /** Called with the changed constraint, or with undefined to remove the constraint. */
  readonly put: (next: ConstraintInput | undefined) => void
}

function ConstraintEditor({ number, constraint, isNew, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { data: fields = [] } = useQuery(FIELDS)
  const field = fields.find(({ name }) => name === constraint.contextName)
  return (
    <fieldset className={entry.entry} aria-label={t.strategy.constraint(number)} onKeyDown={preventSubmit}>
      <Group gap="xs" align="flex-start">
        <ConstraintField
          value={constraint.contextName}
          isNew={isNew}
          put={(contextName) => put({ ...constraint, contextName })}
        />
        <Select
          label={t.strategy.operator}
          data={OPERATOR_NAMES.map((value) => ({
            value,
            label: t.sentence.operators[value] ?? value,
          }))}
          value={constraint.operator}
          searchable
          openOnFocus={false}
          onChange={(operator) => operator !== null && put(withOperator(constraint, operator as Operator))}
          className={entry.grow ?? ''}
        />
        <div className={entry.aside}>
          <RemoveButton label={t.strategy.removeConstraint(number)} remove={() => put(undefined)} />
        </div>
      </Group>
      <ConstraintValue
        number={number}
        constraint={constraint}
        legal={field?.legalValues.map(({ value }) => value) ?? []}
        put={put}
      />
      <ConstraintDifferences constraint={constraint} />
      <Group gap="lg" mt="xs" align="flex-start">
        <Checkbox
          label={t.strategy.inverted}
          description={t.strategy.invertedHint}
          checked={constraint.inverted === true}
          onChange={(event) => put({ ...constraint, inverted: event.currentTarget.checked })}
        />
        {foldsCase(constraint.operator) && (
          <Checkbox
            label={t.strategy.ignoreCase}
            checked={constraint.caseInsensitive === true}
            onChange={(event) => put({ ...constraint, caseInsensitive: event.currentTarget.checked })}
          />
        )}
      </Group>
    </fieldset>
  )
}

/** Prevents Enter from submitting the form, because here it completes a value or accepts a suggestion. */
function preventSubmit(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

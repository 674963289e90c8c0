import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PROJECTS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { ProblemAlert } from '../ui/form/problem-alert.tsx'
import type { Sdk } from './sdk.ts'
import { CONNECT_TEXTS } from './texts.ts'
import { useCreateToken } from './use-create-token.ts'

/** Project, environment and application name that an SDK uses. */
export interface SdkTarget {
  readonly project: string
  readonly environment: string
  readonly appName: string
}

/** Token that the code contains; `isNew` is true if it was created on this page. */
export interface SdkToken {
  readonly secret: string
  readonly isNew: boolean
}

interface Props {
  readonly sdk: Sdk
  readonly place: SdkTarget
  readonly put: (change: Partial<SdkTarget>) => void
  readonly held: SdkToken | undefined
  readonly hold: (held: SdkToken | undefined) => void
}

/**
 * Returns the environments of a project in display order, and the default one: the first environment that is not a
 * production environment or, if there is none, the first one.
 */
export function useTargetEnvironments(project: string): { names: readonly string[]; offered: string } {
  const typeOf = useEnvironmentType()
  const { data = [] } = useQuery(PROJECTS)
  const names = data.find(({ id }) => id === project)?.environments ?? []
  // Until the environment types are known, there is no default.
  const isKnown = names.every((name) => typeOf(name) !== '')
  return { names, offered: isKnown ? (names.find((name) => typeOf(name) !== 'production') ?? names[0] ?? '') : '' }
}

/** Step that selects project, environment and application name, then creates a token or accepts a pasted token. */
export function TargetStep(props: Props) {
  const { place, put, held, hold } = props
  const t = useTexts()
  const own = useCatalogue(CONNECT_TEXTS)
  const { data: projects = [] } = useQuery(PROJECTS)
  const { names } = useTargetEnvironments(place.project)
  return (
    <Stack>
      <Group align="flex-start">
        <Select
          label={t.common.project}
          searchable
          allowDeselect={false}
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          value={place.project}
          onChange={(project) => put({ project: project ?? place.project })}
        />
        <Select
          label={t.common.environment}
          allowDeselect={false}
          data={[...names]}
          value={place.environment}
          onChange={(environment) => put({ environment: environment ?? place.environment })}
        />
        <TextInput
          label={own.appName}
          value={place.appName}
          maxLength={80}
          onChange={(event) => put({ appName: event.currentTarget.value })}
        />
      </Group>
      {held === undefined ? (
        <TokenChoice {...props} />
      ) : (
        <Group role="status">
          <Text c="var(--good)">{held.isNew ? own.made : own.pasted}</Text>
          <Button size="compact-sm" variant="default" onClick={() => hold(undefined)}>
            {own.another}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function TokenChoice({ sdk, place, hold }: Props) {
  const own = useCatalogue(CONNECT_TEXTS)
  const [isPasting, setPasting] = useState(false)
  const make = useCreateToken(sdk.kind, place.project)
  const refetch = useRefetch()
  const save = useMutation({
    // The new token belongs to the selection at the time of the click, even if it has changed since.
    mutationFn: async ({ appName, keep, ...at }: SdkTarget & { readonly keep: typeof hold }) => {
      const secret = await make?.({ ...at, name: `${appName || sdk.name} (${sdk.name})`, kind: sdk.kind })
      if (secret !== undefined) keep({ secret, isNew: true })
    },
    onSuccess: () => refetch(['tokens']),
  })
  const isReady = place.environment !== ''
  return (
    <>
      {make === undefined && (
        <Alert color="yellow" role="status">
          {own.mayNot[sdk.kind]}
        </Alert>
      )}
      {save.error !== null && <ProblemAlert error={save.error} />}
      {isPasting || make === undefined ? (
        <PasteToken hold={hold} />
      ) : (
        <Group>
          <Button loading={save.isPending} disabled={!isReady} onClick={() => save.mutate({ ...place, keep: hold })}>
            {own.make}
          </Button>
          <Button variant="default" onClick={() => setPasting(true)}>
            {own.orPaste}
          </Button>
        </Group>
      )}
    </>
  )
}

function PasteToken({ hold }: Pick<Props, 'hold'>) {
  const own = useCatalogue(CONNECT_TEXTS)
  const [text, setText] = useState('')
  const secret = text.trim()
  return (
    <Group
      component="form"
      align="flex-end"
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault()
        if (secret !== '') hold({ secret, isNew: false })
      }}
    >
      <TextInput
        label={own.pasteLabel}
        description={own.pasteHint}
        value={text}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        miw={280}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {own.use}
      </Button>
    </Group>
  )
}

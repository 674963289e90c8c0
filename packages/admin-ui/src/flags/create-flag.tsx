import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createFlag } from '../api/flags.ts'
import { PROJECTS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { useTypeMeaning } from './stale-badge.tsx'

const EMPTY = { name: '', type: 'release', description: '', impressionData: false }

interface Props {
  readonly project: string
  /** Initial name. */
  readonly named?: string | undefined
  readonly close: () => void
}

/** Dialog that creates a flag and opens its page. */
export function CreateFlag(props: Props) {
  const t = useTexts()
  return (
    <Dialog close={props.close} title={t.flags.createTitle} size="md">
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ project, named = '', close }: Props) {
  const t = useTexts()
  const refetch = useRefetch()
  const navigate = useNavigate()
  const [flag, setFlag] = useState({ ...EMPTY, name: named })
  const put = (change: Partial<typeof EMPTY>): void => setFlag({ ...flag, ...change })
  const name = flag.name.trim()
  const isGood = name !== '' && encodeURIComponent(name) === name
  const save = useMutation({
    mutationFn: () => createFlag(project, { ...flag, name }),
    onSuccess: async ({ name: feature }) => {
      await refetch(['flags', project])
      await navigate({ to: '/projects/$project/features/$feature', params: { project, feature }, replace: true })
      showSuccess(t.flags.created(feature))
    },
  })
  return (
    <Form
      save={save}
      close={close}
      draft={flag}
      isReady={name === '' || isGood}
      submit={() => save.mutate()}
      action={t.flags.create}
    >
      <TextInput
        label={t.common.name}
        description={<NameHint project={project} />}
        value={flag.name}
        error={name !== '' && !isGood && t.flags.nameBad}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => {
          save.reset()
          // Names contain no spaces, so typed or pasted words are joined with hyphens.
          put({ name: event.currentTarget.value.trimStart().replaceAll(/\s+/g, '-') })
        }}
      />
      <Select
        label={t.common.type}
        description={useTypeMeaning(flag.type)}
        data={Object.entries(t.types).map(([value, label]) => ({ value, label }))}
        value={flag.type}
        onChange={(type) => put({ type: type ?? 'release' })}
      />
      <More flag={flag} put={put} />
    </Form>
  )
}

/** Hint about flag names, including the project's naming rules if there are any. */
function NameHint({ project }: { project: string }) {
  const t = useTexts()
  const { data: projects = [] } = useQuery(PROJECTS)
  const { pattern, example, description } = projects.find(({ id }) => id === project)?.featureNaming ?? NO_NAMING
  if (pattern === null) return t.flags.nameHint
  return [`${t.flags.namePattern(pattern)}.`, example === null ? '' : t.flags.nameExample(example), description]
    .filter(Boolean)
    .join(' ')
}

const NO_NAMING = { pattern: null, example: null, description: null }

type Flag = typeof EMPTY

/** Optional fields. */
function More({ flag, put }: { flag: Flag; put: (change: Partial<Flag>) => void }) {
  const t = useTexts()
  return (
    <>
      <Textarea
        label={t.common.description}
        placeholder={t.flags.descriptionHint}
        value={flag.description}
        maxLength={5000}
        autosize
        minRows={2}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <Checkbox
        label={t.flags.impression}
        description={t.flags.impressionHint}
        checked={flag.impressionData}
        onChange={(event) => put({ impressionData: event.currentTarget.checked })}
      />
    </>
  )
}

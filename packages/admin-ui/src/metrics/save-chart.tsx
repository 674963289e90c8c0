import type { ImpactChartInput } from '@burgee/protocol/administration/impact-chart'
import { Autocomplete, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { searchFlags } from '../api/flags.ts'
import { saveChart } from '../api/impact-charts.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { CHART_TEXTS } from './chart-texts.ts'

/** Permission for charts that belong to no flag. */
export const SHARED_PERMISSION = 'RELEASE_PLAN_TEMPLATE_UPDATE'
const MAX_OFFERED = 20
const MAX_TITLE = 100

type Place = 'metrics' | 'flag'

interface Props {
  readonly project: string
  readonly chart: ImpactChartInput
  readonly close: () => void
}

/** Dialog that saves a chart for the page of metrics, or for the page of a flag. */
export function SaveChart({ project, chart, close }: Props) {
  const t = useCatalogue(CHART_TEXTS)
  const may = usePermissionCheck()
  const refetch = useRefetch()
  const [title, setTitle] = useState('')
  const [place, setPlace] = useState<Place>(may(SHARED_PERMISSION) ? 'metrics' : 'flag')
  const [flag, setFlag] = useState('')
  const save = useMutation({
    mutationFn: () => {
      const name = title.trim()
      const owner = place === 'flag' ? { project, feature: flag.trim() } : undefined
      return saveChart(owner, { ...chart, ...(name === '' ? {} : { title: name }) })
    },
    onSuccess: async () => {
      await refetch(['impact-charts'], ['events'])
      showSuccess(t.saved)
      close()
    },
  })
  return (
    <Dialog title={t.save} close={close}>
      <Form
        save={save}
        close={close}
        draft={[title, place, flag]}
        isReady={place === 'metrics' || flag.trim() !== ''}
        submit={() => save.mutate()}
      >
        <TextInput
          label={t.title}
          description={t.titleHint}
          value={title}
          maxLength={MAX_TITLE}
          data-autofocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {may(SHARED_PERMISSION) && may('UPDATE_FEATURE', { project }) && (
          <Radio.Group label={t.place} value={place} onChange={(value) => setPlace(value as Place)}>
            <Stack gap="xs" mt={6}>
              <Radio value="metrics" label={t.onMetrics} />
              <Radio value="flag" label={t.onFlag} />
            </Stack>
          </Radio.Group>
        )}
        {place === 'flag' && <FlagField project={project} value={flag} put={setFlag} />}
      </Form>
    </Dialog>
  )
}

interface FlagFieldProps {
  readonly project: string
  readonly value: string
  readonly put: (flag: string) => void
}

function FlagField({ project, value, put }: FlagFieldProps) {
  const t = useCatalogue(CHART_TEXTS)
  const { data } = useQuery({
    queryKey: ['flags', 'newest', project, value],
    queryFn: () => searchFlags({ project, text: value || undefined, sort: 'createdAt', order: 'desc' }, 0, MAX_OFFERED),
  })
  const offered = data?.features.map(({ name }) => name) ?? []
  return (
    <Autocomplete
      label={t.flag}
      required
      data={offered.length === 1 && offered[0] === value ? [] : offered}
      filter={({ options }) => options}
      value={value}
      onChange={put}
    />
  )
}

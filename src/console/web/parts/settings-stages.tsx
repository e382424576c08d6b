import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { list, patch, post, remove } from '../http.ts'
import { environmentOf } from '../place.ts'
import { fieldOf } from '../session.ts'
import { useData } from '../use-data.ts'
import type { Row } from '../views.ts'
import { ask, Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { Form, useSubmit } from './form.tsx'
import { Icon } from './icon.tsx'
import { ListCard } from './list-card.tsx'
import { tell } from './notes.tsx'

const stagesMax = 100

/** The pipeline's stages: their order, names and colors. */
export function Stages() {
  const loaded = useData((signal) => list<Row>('/api-v1-stages', { limit: stagesMax }, signal), [])
  const [edited, setEdited] = useState<Row | 'new'>()
  const stages = loaded.data?.data ?? []
  const move = async (stage: Row, by: number) => {
    try {
      await patch(`/api-v1-stages/${stage.id}`, { position: stage.position + by })
    } catch (error) {
      tell((error as Error).message)
    }
    loaded.reload()
  }
  return (
    <ListCard
      label="Stages"
      heading={`Stages of the ${environmentOf(location.pathname)} pipeline`}
      verb="Add stage"
      onAdd={() => setEdited('new')}
      loaded={loaded}
    >
      <ol class="list">
        {stages.map((stage, at) => (
          <li key={stage.id} class="middle">
            <span class="dot" style={{ backgroundColor: stage.color }} />
            <span class="grow">{stage.name}</span>
            <Tool icon={ArrowUp} label={`Move ${stage.name} up`} disabled={at === 0} onClick={() => move(stage, -1)} />
            <Tool
              icon={ArrowDown}
              label={`Move ${stage.name} down`}
              disabled={at === stages.length - 1}
              onClick={() => move(stage, 1)}
            />
            <Tool icon={Pencil} label={`Edit ${stage.name}`} onClick={() => setEdited(stage)} />
            <Tool icon={Trash2} label={`Delete ${stage.name}`} onClick={() => askDeletion(stage, loaded.reload)} />
          </li>
        ))}
      </ol>
      {edited && (
        <StageForm
          {...(edited !== 'new' && { stage: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            loaded.reload()
          }}
        />
      )}
    </ListCard>
  )
}

interface ToolProps {
  icon: unknown
  label: string
  disabled?: boolean
  onClick: () => void
}

function Tool({ icon, label, disabled = false, onClick }: ToolProps) {
  return (
    <button type="button" class="button quiet square small" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon of={icon} />
    </button>
  )
}

function askDeletion(stage: Row, onDeleted: () => void): void {
  ask({
    title: `Delete ${stage.name}?`,
    body: 'A stage can only be deleted when no deal is in it.',
    verb: 'Delete',
    async run() {
      await remove(`/api-v1-stages/${stage.id}`)
      onDeleted()
    },
  })
}

function StageForm({ stage, onSaved, onClose }: { stage?: Row; onSaved: () => void; onClose: () => void }) {
  const [values, setValues] = useState({ name: stage?.name ?? '', color: stage?.color ?? '#64748b' })
  const submission = useSubmit(async () => {
    await (stage ? patch(`/api-v1-stages/${stage.id}`, values) : post('/api-v1-stages', values))
    onSaved()
  })
  return (
    <Dialog title={stage ? 'Edit stage' : 'New stage'} small onClose={onClose}>
      <Form of={submission} verb="Save" onCancel={onClose}>
        {(['name', 'color'] as const).map((name) => (
          <FieldInput
            key={name}
            field={fieldOf('stage', name)}
            value={values[name]}
            onValue={(value) => setValues((before) => ({ ...before, [name]: value }))}
            fault={submission.faults[name]}
            autoFocus={name === 'name'}
          />
        ))}
      </Form>
    </Dialog>
  )
}

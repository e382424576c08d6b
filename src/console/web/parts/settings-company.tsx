import { useRef } from 'preact/hooks'
import type { Company } from '../../../access/company.ts'
import { number, word } from '../format.ts'
import { get, patch } from '../http.ts'
import { isAdmin, type Who, who } from '../session.ts'
import { Form, TextField } from './form.tsx'
import { useDiscardQuestion } from './form-dialog.tsx'
import { tell } from './notes.tsx'
import { useForm } from './use-form.ts'

export function CompanySettings() {
  return (
    <>
      <section class="card" aria-label="Company">
        <header>
          <h2>Company</h2>
        </header>
        <div class="body">{isAdmin() ? <NameForm /> : who.value!.company.name}</div>
      </section>
      <Plan />
    </>
  )
}

function NameForm() {
  const known = useRef(who.value!.company.name)
  const form = useForm({
    initial: { name: known.current },
    save: ({ name }) => patch<Company>('/console/company', { name, known_name: known.current }),
    async reread() {
      const { company } = await get<Who>('/console/session')
      known.current = company.name
      return { name: company.name }
    },
    onSaved(company) {
      known.current = company.name
      who.value = { ...who.value!, company }
      tell('Saved.')
    },
  })
  useDiscardQuestion(form)
  return (
    <Form of={form} verb="Save">
      <TextField label="Name" {...form.field('name')} />
    </Form>
  )
}

/** What the plan allows; the operator of this server chooses it. */
function Plan() {
  const { name, ...limits } = who.value!.plan
  return (
    <section class="card" aria-label="Plan">
      <header>
        <h2>Plan: {word(name)}</h2>
      </header>
      <div class="body stack">
        <dl class="facts">
          {Object.entries(limits).map(([limit, value]) => (
            <>
              <dt key={limit}>{word(limit)}</dt>
              <dd class="number">{sayLimit(value)}</dd>
            </>
          ))}
        </dl>
        <p class="muted small">
          Requests are counted for each API key. Who runs this server changes plans, with <code>kontor plan set</code>.
        </p>
      </div>
    </section>
  )
}

function sayLimit(value: number | boolean | null): string {
  if (value === null) return 'Unlimited'
  return typeof value === 'boolean' ? (value ? 'Included' : 'Not included') : number(value)
}

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { post } from '../http.ts'
import { Fault } from '../parts/fault.tsx'
import { Form, NewPasswordField, TextField, useSubmit } from '../parts/form.tsx'
import { Gate } from '../parts/gate.tsx'
import { href } from '../place.ts'
import { enter } from '../start.ts'
import { useData } from '../use-data.ts'

/** The first run: the link that the server printed makes the company and its owner. */
export function Setup() {
  const [token] = useState(location.hash.slice(1))
  const { data, error } = useData(
    () => post<{ company_name: string | null }>('/console/setup/check', { token }),
    [token],
  )
  if (error) {
    return (
      <Gate title="Set up Kontor">
        <Fault error={error} />
      </Gate>
    )
  }
  if (!data) return null
  return (
    <Gate title="Set up Kontor" lead="Your company, and you as its owner. Colleagues are added later, in the settings.">
      <SetupForm token={token} company={data.company_name} />
    </Gate>
  )
}

function SetupForm({ token, company }: { token: string; company: string | null }) {
  const [values, setValues] = useState({ company_name: company ?? '', full_name: '', email: '', password: '' })
  const { route } = useLocation()
  const submission = useSubmit(async () => {
    await post('/console/setup', { token, ...values })
    await enter()
    route(href('/'), true)
  })
  const input = (name: keyof typeof values) => ({
    value: values[name],
    onValue: (value: string) => setValues((before) => ({ ...before, [name]: value })),
    fault: submission.faults[name],
  })
  return (
    <Form of={submission} verb="Set up">
      <TextField label="Company" autoComplete="organization" autoFocus {...input('company_name')} />
      <TextField label="Your name" autoComplete="name" {...input('full_name')} />
      <TextField label="Email" type="email" autoComplete="username" {...input('email')} />
      <NewPasswordField label="Password" {...input('password')} />
    </Form>
  )
}

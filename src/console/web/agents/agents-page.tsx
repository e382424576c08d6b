import { useState } from 'preact/hooks'
import type { ApiKey, McpMode } from '../../../access/key.ts'
import { post } from '../data/http.ts'
import { Form, TextField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { Secret, showKey } from '../parts/secret.tsx'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { environmentOf, href, publicUrl } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { noKey, snippetsFor } from './agent-snippets.ts'

type Created = ApiKey & { key: string }

/** The modes from the safest on. */
const modes: readonly { name: McpMode; label: string; about: string }[] = [
  {
    name: 'propose',
    label: t('Propose changes'),
    about: t('It reads everything. What it wants to change waits for you.'),
  },
  { name: 'read', label: t('Only read'), about: t('It reads everything, and changes nothing.') },
  {
    name: 'write',
    label: t('Change records'),
    about: t('It changes records at once. You see each change and can undo it.'),
  },
]

/** Makes a key for an agent, and shows how each client connects with it. */
export function Agents() {
  useTitle(t('Connect an agent'))
  const [created, setCreated] = useState<Created>()
  return (
    <div class="page narrow">
      <div class="stack tight">
        <a class="small" href={href('/proposals')}>
          {t('Proposals')}
        </a>
        <h1>{t('Connect an agent')}</h1>
        <p class="muted">
          {t(
            'An AI agent searches, reads and updates your records through MCP. Everything it does is in the log, and can be undone, except logged activities.',
          )}
        </p>
      </div>
      <section class="card" aria-labelledby="agent-key">
        <header>
          <h2 id="agent-key">{t('1. A key for the agent')}</h2>
        </header>
        <div class="body">{created ? <Ready of={created} /> : <NewKey onCreated={setCreated} />}</div>
      </section>
      <section class="card" aria-labelledby="agent-client">
        <header>
          <h2 id="agent-client">{t('2. Set up the client')}</h2>
        </header>
        <div class="body">
          <Clients secret={created?.key ?? noKey} />
        </div>
      </section>
    </div>
  )
}

function NewKey({ onCreated }: { onCreated: (key: Created) => void }) {
  const form = useForm({
    initial: { name: t('Agent'), mcp_mode: 'propose' as McpMode },
    save: ({ name, mcp_mode }, _, once) => post<Created>('/api-v1-keys', bodyOf(name, mcp_mode), once),
    onSaved: onCreated,
    onLate: (saved) => {
      if (saved instanceof Error) notify(t('Key not saved: {message}', { message: saved.message }))
      else showKey(saved)
    },
  })
  const { value, onValue } = form.field('mcp_mode')
  return (
    <Form of={form} verb={t('Create key')}>
      <TextField
        label={t('Name')}
        hint={t('The log shows it as the author of what the agent changes')}
        {...form.field('name')}
      />
      <fieldset class="choices">
        <legend>{t('What may it do?')}</legend>
        {modes.map(({ name, label, about }) => (
          <label key={name}>
            <input type="radio" name="mcp_mode" checked={value === name} onChange={() => onValue(name)} />
            <span>
              {label}
              <span class="muted small">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Form>
  )
}

/** A key that only reads has no scope to write, so it cannot either when it is used without MCP. */
function bodyOf(name: string, mcp_mode: McpMode) {
  const scopes = mcp_mode === 'read' ? ['read:all'] : ['read:all', 'write:all']
  const environment = environmentOf(location.pathname)
  return { name, scopes, mcp_mode, environment, type: isAdmin() ? 'shared' : 'personal' }
}

function Ready({ of: { id, name, key } }: { of: Created }) {
  return (
    <div class="stack">
      <p>
        {t('{name} is ready', { name })}. {t('Copy the key now: it is shown only once.')}
      </p>
      <Secret text={key} />
      <p class="muted small">
        <a href={href(`/keys/${id}`)}>{t('Change or revoke the key')}</a>
      </p>
    </div>
  )
}

function Clients({ secret }: { secret: string }) {
  const snippets = snippetsFor(publicUrl, secret)
  const [chosen, setChosen] = useState(0)
  const { file, text } = snippets[chosen]!
  return (
    <div class="stack">
      <Segments label={t('Client')}>
        {snippets.map(({ name }, at) => (
          <button key={name} type="button" aria-pressed={at === chosen} onClick={() => setChosen(at)}>
            {name}
          </button>
        ))}
      </Segments>
      {file && <p class="muted small">{t('In the file {file}:', { file })}</p>}
      <div class="snippet">
        <Secret key={text} text={text} />
      </div>
      <p class="muted small">
        {t(
          'Clients that accept only OAuth, such as the connectors of ChatGPT and claude.ai, cannot be connected with a key.',
        )}
      </p>
    </div>
  )
}

import { t } from '../text/texts.ts'

/** How a client connects with the server. */
interface Snippet {
  name: string
  /** Where it goes: a file, or undefined for a command. */
  file?: string
  text: string
}

/** What stands for a key that is not known. */
export const noKey = 'svc_live_YOUR_KEY'

/** The set-up of each client that sends a key in a header. `server`: the public URL without a slash at the end. */
export function snippetsFor(server: string, key: string): Snippet[] {
  const url = `${server}/mcp`
  const headers = { Authorization: `Bearer ${key}` }
  const asked = { type: 'promptString', id: 'kontor-key', description: t('API key'), password: true }
  return [
    {
      name: 'Claude Code',
      text: `claude mcp add --transport http kontor ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      name: 'VS Code',
      file: '.vscode/mcp.json',
      text: json({
        inputs: [asked],
        servers: { kontor: { type: 'http', url, headers: { Authorization: `Bearer \${input:${asked.id}}` } } },
      }),
    },
    { name: 'Cursor', file: '.cursor/mcp.json', text: json({ mcpServers: { kontor: { url, headers } } }) },
    {
      name: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      text: json({
        mcpServers: { kontor: { command: 'kontor', args: ['mcp', '--url', server], env: { KONTOR_KEY: key } } },
      }),
    },
    {
      name: 'Messages API',
      text: json({
        mcp_servers: [{ type: 'url', name: 'kontor', url, authorization_token: key }],
        tools: [{ type: 'mcp_toolset', mcp_server_name: 'kontor' }],
      }),
    },
    {
      name: 'Responses API',
      text: json({ tools: [{ type: 'mcp', server_label: 'kontor', server_url: url, authorization: key }] }),
    },
  ]
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}

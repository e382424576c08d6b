const whole = await (await fetch('openapi.json')).json()
whole.servers = [{ url: new URL('.', location.href).href.slice(0, -1) }] // the policy allows requests only to the server of this page
const operators = document.getElementById('operators')

/** `name[like]`, `filter[name][like]` */
const withOperator = /\]\[|^(?!filter\[)\w+\[/

/** A list has a filter for each field and operator: those without an operator are enough to begin with, and much faster to show. */
function withoutOperators(spec) {
  const plain = structuredClone(spec)
  for (const operation of Object.values(plain.paths).flatMap(Object.values)) {
    operation.parameters = operation.parameters.filter(({ name = '' }) => !withOperator.test(name))
  }
  return plain
}

const ui = SwaggerUIBundle({
  spec: withoutOperators(whole),
  dom_id: '#ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
})

operators.addEventListener('change', () => {
  ui.specActions.updateSpec(JSON.stringify(operators.checked ? whole : withoutOperators(whole)))
})

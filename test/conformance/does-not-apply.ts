const DIAGNOSTIC = 'It calls a diagnostic tool of the suite, which only a reference server has.'
const NO_FEATURE = 'The server offers tools only: no completions, resources, prompts and logs.'
const NO_QUESTIONS = 'The server never requests input from clients.'
const NO_STREAM = 'There are no sessions and no streams: every answer is JSON.'
const NO_TASKS = 'Tasks are an extension, and every call is answered at once.'

/** Scenarios of the official suite that do not apply to `/mcp`, and why. */
export const SCENARIOS: Readonly<Record<string, string>> = {
  'logging-set-level': NO_FEATURE,
  'completion-complete': NO_FEATURE,
  'resources-list': NO_FEATURE,
  'resources-read-text': NO_FEATURE,
  'resources-read-binary': NO_FEATURE,
  'resources-templates-read': NO_FEATURE,
  'sep-2164-resource-not-found': NO_FEATURE,
  'resources-subscribe': NO_FEATURE,
  'resources-unsubscribe': NO_FEATURE,
  'prompts-list': NO_FEATURE,
  'prompts-get-simple': NO_FEATURE,
  'prompts-get-with-args': NO_FEATURE,
  'prompts-get-embedded-resource': NO_FEATURE,
  'prompts-get-with-image': NO_FEATURE,
  'tools-call-simple-text': DIAGNOSTIC,
  'tools-call-image': DIAGNOSTIC,
  'tools-call-audio': DIAGNOSTIC,
  'tools-call-embedded-resource': DIAGNOSTIC,
  'tools-call-mixed-content': DIAGNOSTIC,
  'tools-call-with-logging': DIAGNOSTIC,
  'tools-call-error': DIAGNOSTIC,
  'tools-call-with-progress': DIAGNOSTIC,
  'json-schema-2020-12': DIAGNOSTIC,
  'http-custom-header-server-validation': 'No tool puts arguments into headers.',
  'tools-call-sampling': NO_QUESTIONS,
  'tools-call-elicitation': NO_QUESTIONS,
  'elicitation-sep1034-defaults': NO_QUESTIONS,
  'elicitation-sep1330-enums': NO_QUESTIONS,
  'input-required-result-basic-elicitation': NO_QUESTIONS,
  'input-required-result-basic-sampling': NO_QUESTIONS,
  'input-required-result-basic-list-roots': NO_QUESTIONS,
  'input-required-result-request-state': NO_QUESTIONS,
  'input-required-result-multiple-input-requests': NO_QUESTIONS,
  'input-required-result-multi-round': NO_QUESTIONS,
  'input-required-result-missing-input-response': NO_QUESTIONS,
  'input-required-result-ignore-extra-params': NO_QUESTIONS,
  'input-required-result-non-tool-request': NO_QUESTIONS,
  'input-required-result-result-type': NO_QUESTIONS,
  'input-required-result-tampered-state': NO_QUESTIONS,
  'input-required-result-capability-check': NO_QUESTIONS,
  'server-sse-polling': NO_STREAM,
  'server-sse-multiple-streams': NO_STREAM,
  'dns-rebinding-protection':
    'Every Origin is valid: no cookie is read here, so a page of another site gains nothing that a program would not.',
  'tasks-lifecycle': NO_TASKS,
  'tasks-capability-negotiation': NO_TASKS,
  'tasks-wire-fields': NO_TASKS,
  'tasks-request-state-removal': NO_TASKS,
  'tasks-mrtr-input': NO_TASKS,
  'tasks-request-headers': NO_TASKS,
  'tasks-dispatch-and-envelope': NO_TASKS,
  'tasks-status-notifications': NO_TASKS,
  'tasks-required-task-error': NO_TASKS,
  'tasks-mrtr-composition': NO_TASKS,
}

/** Single checks of scenarios that apply otherwise. */
export const CHECKS: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': DIAGNOSTIC,
  'sep-2575-missing-capability-http-400': DIAGNOSTIC,
  'sep-2575-http-server-no-independent-requests-on-stream': DIAGNOSTIC,
  'sep-2575-server-no-log-without-loglevel': DIAGNOSTIC,
  'sep-2549-prompts-list-caching-hints': NO_FEATURE,
  'sep-2549-resources-list-caching-hints': NO_FEATURE,
  'sep-2549-resources-templates-list-caching-hints': NO_FEATURE,
}

/** A check of every scenario: each message fits the published schema. It applies everywhere. */
export const EVERYWHERE = 'wire-schema-valid'

import { catalogue } from './catalogue.ts'

export const importTexts = catalogue(
  {
    title: 'Import',
    lead: 'Take over event types, hours and upcoming bookings from Calendly or Cal.com. You can repeat an import at any time: it creates nothing twice.',
    ownerOnly:
      'Only the owner can import, because an import creates hours, event types and bookings for everybody here.',
    liveOnly: 'An import creates live data. Switch to live data first.',
    service: 'Where you are now',
    secret: 'Access token or API key',
    secretHint:
      'At Calendly: Integrations, API and webhooks, personal access token. At Cal.com: Settings, Security, API keys. It is used once and stored nowhere.',
    look: 'Preview',
    start: 'Start import',
    what: 'Existing members become hosts, by their email address. Nobody is invited, and nobody gets an email about an imported booking. Prices are not imported.',
    latest: 'Latest imports',
    from: 'Import from {service}',
    preview: 'Preview: {service}',
    previewLead: 'Nothing was created yet. To start, paste the secret again: it was not stored.',
    would: 'Would be created',
    wouldNothing: 'Nothing new.',
    schedule: 'Hours',
    event_type: 'Event types',
    booking: 'Bookings',
    running: 'Running',
    done: 'Finished',
    failed: 'Failed',
    interrupted: 'Interrupted',
    runningText:
      'You can leave this page. It shows the progress when you come back. If the other service accepts no more requests for now, the import waits and continues automatically.',
    doneText: 'Switch off your event types at the other service, so that nobody books the same time there.',
    failedText:
      'The import stopped early. What was created stays. Start it again with the secret, and it creates the rest.',
    interruptedText:
      'The secret is no longer here: the service restarted, or the list below says when the other service accepts requests again. Paste the secret, and the import continues where it stopped.',
    again: 'Run it again',
    againText: 'It creates only what is new since then.',
    goOn: 'Continue import',
    refused: '{service} does not accept it. Create a new one there, and paste all of it.',
    made: 'Created: hours {schedules}, event types {event_types}, bookings {bookings}',
    madeSoFar: 'Created so far: hours {schedules}, event types {event_types}, bookings {bookings}',
    leftOut: 'Left out',
    leftOutLead: 'This cannot be taken over, or only in part. Some of it you can set here by hand.',
    nothingLeftOut: 'Everything was taken over.',
    more: 'And {n} more.',
    back: 'All imports',
  },
  {
    title: 'Import',
    lead: 'Übernehmen Sie Terminarten, Zeiten und kommende Buchungen von Calendly oder Cal.com. Sie können einen Import jederzeit wiederholen: Er legt nichts doppelt an.',
    ownerOnly:
      'Nur der Inhaber kann importieren, denn ein Import legt hier für alle Zeiten, Terminarten und Buchungen an.',
    liveOnly: 'Ein Import legt Livedaten an. Wechseln Sie zuerst zu den Livedaten.',
    service: 'Bisheriger Dienst',
    secret: 'Zugriffstoken oder API-Schlüssel',
    secretHint:
      'Bei Calendly: Integrationen, API und Webhooks, persönliches Zugriffstoken. Bei Cal.com: Einstellungen, Sicherheit, API-Schlüssel. Er wird einmal verwendet und nirgends gespeichert.',
    look: 'Vorschau',
    start: 'Import starten',
    what: 'Mitglieder werden über ihre E-Mail-Adresse zu Gastgebern. Niemand wird eingeladen, und niemand bekommt eine E-Mail über eine importierte Buchung. Preise werden nicht importiert.',
    latest: 'Letzte Importe',
    from: 'Import von {service}',
    preview: 'Vorschau: {service}',
    previewLead:
      'Noch wurde nichts angelegt. Fügen Sie den geheimen Schlüssel zum Starten noch einmal ein: Er wurde nicht gespeichert.',
    would: 'Würde angelegt',
    wouldNothing: 'Nichts Neues.',
    schedule: 'Zeiten',
    event_type: 'Terminarten',
    booking: 'Buchungen',
    running: 'Läuft',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    interrupted: 'Unterbrochen',
    runningText:
      'Sie können diese Seite verlassen. Wenn Sie zurückkommen, zeigt sie den Stand. Nimmt der andere Dienst gerade keine Anfragen mehr an, wartet der Import und geht automatisch weiter.',
    doneText: 'Schalten Sie Ihre Terminarten beim anderen Dienst ab, damit dort niemand dieselbe Zeit bucht.',
    failedText:
      'Der Import endete vorzeitig. Was angelegt wurde, bleibt. Starten Sie ihn mit dem geheimen Schlüssel noch einmal, und er legt den Rest an.',
    interruptedText:
      'Der geheime Schlüssel ist nicht mehr da: Der Dienst wurde neu gestartet, oder die Liste unten sagt, wann der andere Dienst wieder Anfragen annimmt. Fügen Sie den Schlüssel noch einmal ein, und der Import geht dort weiter, wo er aufgehört hat.',
    again: 'Noch einmal importieren',
    againText: 'Es wird nur angelegt, was seitdem neu ist.',
    goOn: 'Import fortsetzen',
    refused:
      '{service} nimmt die Angabe nicht an. Erstellen Sie dort einen neuen Schlüssel, und fügen Sie ihn ganz ein.',
    made: 'Angelegt: Zeiten {schedules}, Terminarten {event_types}, Buchungen {bookings}',
    madeSoFar: 'Bisher angelegt: Zeiten {schedules}, Terminarten {event_types}, Buchungen {bookings}',
    leftOut: 'Nicht übernommen',
    leftOutLead:
      'Das lässt sich nicht oder nur teilweise übernehmen. Manches können Sie hier von Hand einstellen.',
    nothingLeftOut: 'Alles wurde übernommen.',
    more: 'Und {n} weitere.',
    back: 'Alle Importe',
  },
)

-- The meeting of a session that ended: no booking and no session leads to it, so it is found by its organization.
CREATE INDEX `meetings_organization` ON `meetings` (`organization_id`,`is_test`);

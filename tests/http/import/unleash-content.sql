-- Content that an instance may have after some years, with one row for each difficult case.
insert into migrations (name, run_on) values ('20240430075605-add-scim-external-id', now());
insert into projects (id, name, description, created_at) values ('default', 'Default', 'Default project', '2023-01-02 03:04:05'), ('shop', 'Shop', null, '2023-02-02 00:00:00');
insert into project_settings (project, default_stickiness, project_mode, feature_limit) values ('shop', 'userId', 'protected', 50);
insert into environments values ('default', 'production', 1, true, true), ('development', 'development', 2, true, false), ('production', 'production', 3, true, false), ('closed', 'test', 9, false, false);
insert into project_environments values ('default', 'default', null), ('default', 'development', null), ('shop', 'development', null),
  ('shop', 'production', '{"name":"flexibleRollout","title":"","parameters":{"rollout":"25","stickiness":"default","groupId":"x"},"constraints":[],"segments":[7]}');
insert into segments (id, name, description, constraints, segment_project_id, created_by, created_at) values
  (7, 'europeans', null, '[{"contextName":"region","operator":"IN","values":["eu"]}]', null, 'user1', '2023-03-03T00:00:00Z'),
  (40, 'europeans', 'again', '[{"contextName":"region","operator":"IN","values":["de"],"inverted":false,"caseInsensitive":false}]', 'shop', null, '2023-03-04T00:00:00Z');
insert into context_fields values ('userId', 'changed by us', true, 3, null, '2023-01-01'), ('appName', null, false, 2, null, '2023-01-01'),
  ('region', null, true, 10, '[{"value":"eu","description":"Europe"},{"value":"us"}]', '2023-01-01'), ('old', null, false, 11, null, '2023-01-01');
insert into feature_types values ('release', 'Release', 'Release', 30), ('experiment', 'Experiment', 'Experiment', 40);
insert into strategies values ('default', 1, 'Standard', null, '', '[]', false, 0), ('gradualRolloutUserId', 1, null, null, '', '[]', true, 5),
  ('byShop', 0, 'By shop', 'By shop', 'own', '[{"name":"shops","type":"list","required":true,"description":""}]', false, 9999);
insert into tag_types values ('simple', 'Simple', '#'), ('team', null, null);
insert into tags values ('team', 'x'), ('simple', repeat('long', 20)), ('simple', 'loose');
insert into features (name, project, type, description, stale, impression_data, created_at, archived_at, last_seen_at, archived) values
  ('old flag with blanks', 'default', 'release', null, false, false, '2022-01-01T00:00:00Z', null, null, false),
  ('gone', 'default', 'release', 'archived one', true, false, '2022-01-02T00:00:00Z', '2023-01-01T00:00:00Z', null, false),
  ('parent', 'shop', 'release', '', false, true, '2022-01-03T00:00:00Z', null, '2022-05-01T00:00:00Z', false),
  ('child', 'shop', 'kill-switch-of-old', 'c', false, null, '2022-01-04T00:00:00Z', null, null, false),
  ('many', 'shop', 'experiment', 'm', false, false, '2022-01-05T00:00:00Z', null, null, false),
  ('none-enabled', 'shop', 'release', 'n', false, false, '2022-01-06T00:00:00Z', null, null, false),
  ('without-any', 'shop', 'release', 'w', false, false, '2022-01-07T00:00:00Z', null, null, false);
insert into feature_environments values
  ('old flag with blanks', 'default', true, '[]', null), ('gone', 'default', true, '[]', null),
  ('parent', 'production', true, '[]', '2022-06-01T00:00:00Z'), ('parent', 'development', true, '[]', null),
  ('child', 'production', true, '[]', null), ('none-enabled', 'production', true, '[]', null), ('without-any', 'production', true, '[]', null),
  ('many', 'production', true, '[{"name":"a","weight":30,"weightType":"fix","stickiness":"userId","overrides":[{"contextName":"userId","values":["7"]}],"payload":{"type":"json","value":"{\"a\":1}"}},{"name":"b","weight":30}]', null);
insert into feature_strategies values
  ('s-blank', 'old flag with blanks', 'default', 'default', 'userWithId', null, '{"userIds":"1,2"}', null, '[]', 0, false, '2022-01-01T00:00:00Z'),
  ('s-gone', 'gone', 'default', 'default', 'default', null, '{}', '[]', '[]', 0, false, '2022-01-01T00:00:00Z'),
  ('s-parent', 'parent', 'default', 'production', 'flexibleRollout', 'T', '{"rollout":50,"stickiness":"userId","groupId":"parent","sticky":true}', null, '[]', 0, null, '2022-01-01T00:00:00Z'),
  ('s-parent-d', 'parent', 'shop', 'development', 'default', null, '{}', '{"0":{"contextName":"userId"}}', '[]', 0, false, '2022-01-01T00:00:00Z'),
  ('s-child', 'child', 'shop', 'production', 'default', null, '{}', '[{"contextName":"userId","operator":"NUM_GT","value":"10","values":[]}]', '[]', 0, false, '2022-01-01T00:00:00Z'),
  ('s-many-2', 'many', 'shop', 'production', 'gradualRolloutUserId', null, '{"percentage":10,"groupId":"many"}', '[]', '[]', 9999, false, '2022-02-02T00:00:00Z'),
  ('s-many-1', 'many', 'shop', 'production', 'default', null, '{}', '[]', '[{"name":"v","weight":1000,"weightType":"variable","stickiness":"default"}]', 9999, false, '2022-02-01T00:00:00Z'),
  ('s-none', 'none-enabled', 'shop', 'production', 'default', null, '{}', '[]', '[]', 0, true, '2022-01-01T00:00:00Z');
insert into feature_strategy_segment values ('s-many-1', 7), ('s-many-1', 40);
insert into dependent_features values ('parent', 'child', true, '[]');
insert into feature_tag values ('parent', 'team', 'x'), ('parent', 'simple', repeat('long', 20));
insert into feature_lifecycles values ('parent', 'initial', '2022-01-03T00:00:00Z'), ('parent', 'live', '2022-01-05T00:00:00Z');
insert into last_seen_at_metrics values ('parent', 'production', '2024-01-01T00:00:00Z');
insert into roles (id, name, description, type) values (1, 'Admin', '', 'root'), (2, 'Editor', '', 'root'), (3, 'Viewer', '', 'root'), (4, 'Owner', '', 'project'),
  (9, 'Regular', '', 'project'), (12, 'Releaser', 'may release', 'custom'), (13, 'Auditor', null, 'root-custom');
insert into role_permission values (1, 'ADMIN', null), (12, 'UPDATE_FEATURE_ENVIRONMENT', 'production'), (12, 'UPDATE_FEATURE_ENVIRONMENT', 'production'),
  (12, 'SOMETHING_UNKNOWN', null), (13, 'READ_ROLE', null),
  (12, 'CREATE_FEATURE_STRATEGY', null), (12, 'UPDATE_PROJECT', 'production'), (13, 'ADMIN', null);
insert into users (id, name, username, email, password_hash, created_at, seen_at, login_attempts, deleted_at, is_service, is_system) values
  (-1337, 'Unleash System', 'unleash_system_user', null, null, now(), null, 0, null, false, true),
  (1, 'Ada', 'admin', null, '$2b$04$6YSD27oxNYdtmtYYX8/e0uZC.aHxkGT2AhEKB7WqHsSuPmiBVLHey', '2022-01-01', '2024-01-01', 0, null, false, false),
  (3, 'Long', 'long', 'long@example.com', '$2b$04$Xnj2/NdW5MZQVwmXWLKQZ./pRF78Dtjn7sYOzezZZXNZaDjpfYali', '2022-01-01', null, 2, null, false, false),
  (5, 'Sso', null, 'sso@example.com', null, '2022-01-01', null, 0, null, false, false),
  (8, 'Gone(Deleted)', null, null, '$2b$04$6YSD27oxNYdtmtYYX8/e0uZC.aHxkGT2AhEKB7WqHsSuPmiBVLHey', '2022-01-01', null, 0, '2023-01-01', false, false),
  (17, 'robot', 'service:robot', null, null, '2022-01-01', null, 0, null, true, false);
insert into role_user values (1, 1, 'default'), (2, 3, 'default'), (9, 3, 'shop'), (12, 3, 'shop'), (3, 5, 'default'), (4, 1, 'shop'), (13, 17, 'default');
insert into groups (id, name, description, mappings_sso, root_role_id, created_at) values (4, 'Team', 'T', '["cn=team"]', 2, '2022-01-01');
insert into group_user values (4, 5), (4, 8);
insert into group_role values (4, 12, 'shop');
insert into api_tokens values
  ('oldplainsecret', null, 'plain', 'client', 'development', null, null, '2021-01-01T00:00:00Z', null),
  ('shop:production.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'shop', 'shop', 'client', 'production', 'secret-alias-of-shop', null, '2022-01-01T00:00:00Z', null),
  ('[]:production.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'two', 'two', 'client', 'production', null, null, '2022-01-02T00:00:00Z', null),
  ('*:production.cccccccccccccccccccccccccccccccccccccccc', 'expired', 'expired', 'client', 'production', null, '2022-01-01T00:00:00Z', '2021-01-02T00:00:00Z', null),
  ('*:production.dddddddddddddddddddddddddddddddddddddddd', 'front', 'front', 'frontend', 'production', 'front-alias', null, '2022-01-03T00:00:00Z', null),
  ('*:*.eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'admin', 'admin', 'admin', null, null, null, '2022-01-04T00:00:00Z', null),
  ('*:*.ffffffffffffffffffffffffffffffffffffffff', 'every', 'every', 'client', null, null, null, '2022-01-05T00:00:00Z', null);
insert into api_token_project values ('shop:production.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'shop'), ('[]:production.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'shop'), ('[]:production.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'default');
insert into personal_access_tokens values ('user:0123456789abcdef0123456789abcdef0123456789abcdef01234567', 'mine', 1, '2099-01-01T00:00:00Z', null, '2023-01-01T00:00:00Z'),
  ('user:ffff456789abcdef0123456789abcdef0123456789abcdef01234567', 'over', 1, '2023-01-01T00:00:00Z', null, '2022-01-01T00:00:00Z');
insert into settings values ('instanceInfo', '{"id":"7c2f0b1e-1111-4222-8333-444455556666"}'), ('unleash.secret', '"x"'),
  ('unleash.frontend', '{"frontendApiOrigins":["https://shop.example.com"]}'), ('unleash.enterprise.auth.oidc', '{"enabled":true,"secret":"hidden"}'),
  ('maintenance.mode', '{"enabled":true}'), ('login_history_retention', '{"hours":24}');
update users set scim_external_id = 'ext-5' where id = 5;
insert into public_signup_tokens values ('invite-secret', 'newcomers', '2099-01-01T00:00:00Z', '2023-01-01T00:00:00Z', 'admin', 3, 'http://x', true);
insert into public_signup_tokens_user values ('invite-secret', 5);
insert into favorite_features values ('parent', 1), ('gone', 8);
insert into favorite_projects values ('shop', 3);
insert into client_applications values ('web', '["default"]', 'The shop', 'star', 'https://shop.example.com', 'red', '2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
insert into client_applications_usage values ('web', 'shop', 'production');
insert into client_instances values ('web', 'i-1', 'production', 'unleash-client-node:5', '10.0.0.1', '2024-01-01T00:00:00Z');
insert into client_metrics_env values ('parent', 'web', 'production', date_trunc('hour', now()), 5, 6);
insert into client_metrics_env_variants values ('parent', 'web', 'production', date_trunc('hour', now()), 'v', 5);
insert into addons (id, provider, enabled, description, parameters, events, projects, environments, created_at) values
  (2, 'webhook', true, 'hook', '{"url":"https://hooks.example.com/x","authorization":"Bearer hidden"}', '["feature-created"]', '["*"]', '["production"]', '2023-01-01'),
  (3, 'slack-app', true, null, '{"accessToken":"hidden"}', '[]', null, null, '2023-01-01');
insert into login_history (username, auth_type, successful) values ('admin', 'simple', true), ('admin', 'simple', false);
insert into banners default values;
insert into reset_tokens values ('x');
insert into events (id, created_at, type, created_by, created_by_user_id, data, pre_data, tags, project, environment, feature_name, ip) values
  (1, '2020-01-01T00:00:00Z', 'feature-created', 'migration', null, '{"name":"parent","project":"shop"}', null, '[null, 7, {"type":"team"}, {"type":1,"value":"x"}, {"type":"team","value":"y"}]', null, null, null, null),
  (5, now() - interval '10 days', 'segment-created', 'admin', 1, '{"id":7}', null, null, 'no-project', null, null, '10.0.0.2'),
  (900, now() - interval '1 day', 'feature-updated', 'Gone', 8, '{"name":"parent"}', '{"name":"parent"}', '[{"type":"team","value":"x"}]', 'shop', null, 'parent', null);
